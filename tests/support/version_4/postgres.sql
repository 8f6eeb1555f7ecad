-- The tables of a case as version 4 made them in PostgreSQL.
CREATE TABLE batch (
	id BIGSERIAL NOT NULL, 
	uid BYTEA NOT NULL, 
	type TEXT COLLATE "C" NOT NULL, 
	custodian TEXT COLLATE "C", 
	settings TEXT COLLATE "C" NOT NULL, 
	sources BIGINT NOT NULL, 
	jobs BIGINT DEFAULT '0' NOT NULL, 
	created_ms BIGINT NOT NULL, 
	finished_ms BIGINT, 
	seal BYTEA NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE blob (
	sha256 BYTEA NOT NULL, 
	pack TEXT COLLATE "C" NOT NULL, 
	"offset" BIGINT NOT NULL, 
	length BIGINT NOT NULL, 
	PRIMARY KEY (sha256)
);
CREATE TABLE case_info (
	key TEXT COLLATE "C" NOT NULL, 
	value TEXT COLLATE "C" NOT NULL, 
	PRIMARY KEY (key)
);
CREATE TABLE document (
	id BIGSERIAL NOT NULL, 
	uid BYTEA NOT NULL, 
	sha256 BYTEA NOT NULL, 
	sha1 BYTEA NOT NULL, 
	md5 BYTEA NOT NULL, 
	size BIGINT NOT NULL, 
	hash_kind TEXT COLLATE "C" DEFAULT 'bytes' NOT NULL, 
	seal BYTEA NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (sha256)
);
CREATE TABLE event (
	id BIGSERIAL NOT NULL, 
	type TEXT COLLATE "C" NOT NULL, 
	batch BIGINT, 
	body TEXT COLLATE "C" NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE index_pending (
	ingestion BIGINT NOT NULL, 
	taken BIGINT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (ingestion)
);
CREATE TABLE ingestion (
	id BIGSERIAL NOT NULL, 
	uid BYTEA NOT NULL, 
	batch BIGINT NOT NULL, 
	parent BIGINT, 
	locator TEXT COLLATE "C" NOT NULL, 
	whole TEXT COLLATE "C", 
	source BIGINT DEFAULT '0' NOT NULL, 
	name TEXT COLLATE "C" NOT NULL, 
	path TEXT COLLATE "C" NOT NULL, 
	root BIGINT, 
	number BIGINT, 
	ordinal BIGINT NOT NULL, 
	control TEXT COLLATE "C", 
	depth BIGINT NOT NULL, 
	role TEXT COLLATE "C" NOT NULL, 
	state TEXT COLLATE "C" NOT NULL, 
	owner TEXT COLLATE "C", 
	attempt BIGINT DEFAULT '0' NOT NULL, 
	document BIGINT, 
	derivation BIGINT, 
	replayed BIGINT DEFAULT '0' NOT NULL, 
	listed BIGINT, 
	outcome TEXT COLLATE "C", 
	detail TEXT COLLATE "C" DEFAULT '' NOT NULL, 
	problems TEXT COLLATE "C" DEFAULT '[]' NOT NULL, 
	size BIGINT, 
	dates TEXT COLLATE "C" DEFAULT '{}' NOT NULL, 
	metadata TEXT COLLATE "C" DEFAULT '{}' NOT NULL, 
	seal BYTEA, 
	PRIMARY KEY (id), 
	UNIQUE (parent, locator)
);
CREATE UNIQUE INDEX ingestion_control ON ingestion (number, control);
CREATE INDEX ingestion_document ON ingestion (document, number, control) WHERE document IS NOT NULL;
CREATE INDEX ingestion_gathered ON ingestion (parent) WHERE state = 'gathered';
CREATE INDEX ingestion_open ON ingestion (state, source, batch, id) WHERE state <> 'done';
CREATE INDEX ingestion_waiting ON ingestion (derivation) WHERE state = 'waiting';
CREATE TABLE job (
	id BIGSERIAL NOT NULL, 
	batch BIGINT NOT NULL, 
	kind TEXT COLLATE "C" NOT NULL, 
	state TEXT COLLATE "C" NOT NULL, 
	priority BIGINT NOT NULL, 
	workers BIGINT NOT NULL, 
	host TEXT COLLATE "C" NOT NULL, 
	passwords TEXT COLLATE "C" NOT NULL, 
	terms TEXT COLLATE "C" NOT NULL, 
	created_ms BIGINT NOT NULL, 
	started_ms BIGINT, 
	served_ms BIGINT NOT NULL, 
	finished_ms BIGINT, 
	seal BYTEA, 
	PRIMARY KEY (id)
);
CREATE INDEX job_open ON job (batch) WHERE finished_ms IS NULL;
CREATE TABLE member (
	derivation BIGINT NOT NULL, 
	ordinal BIGINT NOT NULL, 
	locator TEXT COLLATE "C" NOT NULL, 
	whole TEXT COLLATE "C", 
	generation BIGINT NOT NULL, 
	state TEXT COLLATE "C" NOT NULL, 
	name TEXT COLLATE "C" NOT NULL, 
	role TEXT COLLATE "C" NOT NULL, 
	document BIGINT, 
	outcome TEXT COLLATE "C", 
	detail TEXT COLLATE "C" NOT NULL, 
	metadata TEXT COLLATE "C" NOT NULL, 
	seal BYTEA NOT NULL, 
	PRIMARY KEY (derivation, ordinal)
);
CREATE UNIQUE INDEX member_locator ON member (locator, derivation);
CREATE TABLE parked_post (
	event BIGINT NOT NULL, 
	detail TEXT COLLATE "C" NOT NULL, 
	PRIMARY KEY (event)
);
CREATE TABLE task_queue (
	job BIGINT NOT NULL, 
	lane TEXT COLLATE "C" NOT NULL, 
	batch BIGINT NOT NULL, 
	name TEXT COLLATE "C" NOT NULL, 
	attempt BIGINT NOT NULL, 
	previous BIGINT DEFAULT '-1' NOT NULL, 
	retries BIGINT DEFAULT '0' NOT NULL, 
	upto BIGINT DEFAULT '0' NOT NULL, 
	due_ms BIGINT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (job, lane), 
	UNIQUE (name)
);
CREATE TABLE volume (
	derivation BIGINT NOT NULL, 
	number BIGINT NOT NULL, 
	document BIGINT NOT NULL, 
	PRIMARY KEY (derivation, number)
);
CREATE TABLE worker (
	id TEXT COLLATE "C" NOT NULL, 
	host TEXT COLLATE "C" NOT NULL, 
	pid BIGINT NOT NULL, 
	kind TEXT COLLATE "C" NOT NULL, 
	slots BIGINT NOT NULL, 
	started_ms BIGINT NOT NULL, 
	beat BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE derivation (
	id BIGSERIAL NOT NULL, 
	document BIGINT NOT NULL, 
	engine TEXT COLLATE "C" NOT NULL, 
	settings TEXT COLLATE "C" NOT NULL, 
	context TEXT COLLATE "C" NOT NULL, 
	batch BIGINT, 
	state TEXT COLLATE "C" DEFAULT 'queued' NOT NULL, 
	owner TEXT COLLATE "C", 
	lane TEXT COLLATE "C" DEFAULT 'small' NOT NULL, 
	attempt BIGINT DEFAULT '0' NOT NULL, 
	tries BIGINT DEFAULT '0' NOT NULL, 
	lost BIGINT DEFAULT '0' NOT NULL, 
	deaths BIGINT DEFAULT '0' NOT NULL, 
	generation BIGINT DEFAULT '1' NOT NULL, 
	outcome TEXT COLLATE "C", 
	detail TEXT COLLATE "C" DEFAULT '' NOT NULL, 
	media_type TEXT COLLATE "C", 
	kind TEXT COLLATE "C", 
	handler TEXT COLLATE "C", 
	text BYTEA, 
	text_chars BIGINT DEFAULT '0' NOT NULL, 
	pages BIGINT, 
	container BIGINT DEFAULT '0' NOT NULL, 
	declared BIGINT, 
	members BIGINT DEFAULT '0' NOT NULL, 
	metadata TEXT COLLATE "C" DEFAULT '{}' NOT NULL, 
	problems TEXT COLLATE "C" DEFAULT '[]' NOT NULL, 
	seal BYTEA, 
	posted BIGINT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (document, engine, settings, context), 
	FOREIGN KEY(document) REFERENCES document (id)
);
CREATE INDEX derivation_open ON derivation (state, batch, lane, id) WHERE state <> 'done';
CREATE INDEX derivation_parked ON derivation (id) WHERE state = 'done' AND handler IS NULL;
CREATE TABLE queue (
	id BIGSERIAL NOT NULL, 
	name TEXT COLLATE "C" NOT NULL, 
	lease_ms BIGINT NOT NULL, 
	dead_letters TEXT COLLATE "C", 
	max_receives BIGINT NOT NULL, 
	tags TEXT COLLATE "C" NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name)
);
CREATE TABLE queue_message (
	id BIGSERIAL NOT NULL, 
	queue BIGINT NOT NULL, 
	due_ms BIGINT NOT NULL, 
	received BIGINT DEFAULT '0' NOT NULL, 
	body TEXT COLLATE "C" NOT NULL, 
	PRIMARY KEY (id)
);
CREATE INDEX queue_message_due ON queue_message (queue, due_ms, id);
CREATE TABLE queue_subscription (
	queue TEXT COLLATE "C" NOT NULL, 
	filter TEXT COLLATE "C" NOT NULL, 
	PRIMARY KEY (queue)
);
CREATE TABLE worker_service (
	id TEXT COLLATE "C" NOT NULL, 
	version BIGINT NOT NULL, 
	case_id BIGINT, 
	job BIGINT, 
	jobs TEXT COLLATE "C" NOT NULL, 
	worker_limit BIGINT NOT NULL, 
	service_ref TEXT COLLATE "C" NOT NULL, 
	scaling_ref TEXT COLLATE "C" NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (case_id)
);
