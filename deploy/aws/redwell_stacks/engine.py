"""The settings of the viewing engine in an uploader's task (SPEC E2), secrets by reference."""

from redwell_stacks.uploader import Uploader

ENGINE_PORT, FILES_PORT = 5000, 80
CACHE_BYTES = 4 << 30


def engine_environment(shared: Uploader, region: str) -> dict[str, str]:
    return {
        "PORT": str(ENGINE_PORT),
        "PGHOST": shared.database.cluster_endpoint.hostname,
        "PGDATABASE": "engine",
        "PGUSER": "engine",
        "PGSSL": "true",
        "DATABASE_CONNECTIONS": "5",
        "PSPDFKIT_WORKER_POOL_SIZE": "30",
        "SERVER_REQUEST_TIMEOUT": "240000",
        "ASSET_STORAGE_BACKEND": "s3",
        "ASSET_STORAGE_S3_BUCKET": shared.assets.bucket_name,
        "ASSET_STORAGE_S3_REGION": region,
        "ASSET_STORAGE_CACHE_SIZE": str(CACHE_BYTES),
        "USE_REDIS_CACHE": "false",
        "JWT_ALGORITHM": "RS256",
        "HTTP_PROXY_REMOTE_FILE_DOWNLOAD": f"http://localhost:{FILES_PORT}",
    }


def engine_secrets(shared: Uploader) -> dict[str, str]:
    assert shared.database.secret
    return {
        "ACTIVATION_KEY": shared.secrets["activation"].secret_arn,
        "API_AUTH_TOKEN": shared.secrets["token"].secret_arn,
        "JWT_PUBLIC_KEY": shared.secrets["jwt"].secret_arn,
        "PGPASSWORD": f"{shared.database.secret.secret_arn}:password::",
    }
