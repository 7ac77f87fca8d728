CREATE TABLE "breaches"."dataset_block" (
	"bucket" integer NOT NULL,
	"breach_name" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"hashes" "bytea" NOT NULL,
	CONSTRAINT "dataset_block_bucket_breach_name_digest_pk" PRIMARY KEY("bucket","breach_name","digest")
);
