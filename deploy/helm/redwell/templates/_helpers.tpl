{{- define "redwell.pod" -}}
{{- with .Values.serviceAccount -}}
serviceAccountName: {{ . }}
{{ end -}}
automountServiceAccountToken: {{ ne .Values.serviceAccount "" }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "redwell.container" -}}
image: {{ .Values.image }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
envFrom:
  - secretRef: {name: {{ .Values.secret }}}
env:
{{- range $key, $value := .Values.settings }}
  - {name: REDWELL_{{ $key | upper }}, value: {{ $value | toString | quote }}}
{{- end }}
{{- end }}

{{- define "redwell.labels" -}}
app.kubernetes.io/name: redwell
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "redwell.chosen" -}}
app.kubernetes.io/name: redwell
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
