CREATE TABLE "breaches"."dataset" (
	"hash" text NOT NULL,
	"breach_name" text NOT NULL,
	CONSTRAINT "dataset_hash_breach_name_pk" PRIMARY KEY("hash","breach_name")
);
--> statement-breakpoint
CREATE TABLE "breaches"."import" (
	"id" text PRIMARY KEY NOT NULL,
	"progress" jsonb NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone
);
--> statement-breakpoint
DROP INDEX "breaches"."scan_checked_at";--> statement-breakpoint
DROP INDEX "breaches"."scan_due_at";--> statement-breakpoint
ALTER TABLE "breaches"."scan" ADD COLUMN "source" text;--> statement-breakpoint
-- There was one source so far: the one whose catalogue was read last.
UPDATE "breaches"."scan" SET "source" = coalesce((SELECT "source" FROM "breaches"."source" ORDER BY "checked_at" DESC NULLS LAST LIMIT 1), 'hibp');--> statement-breakpoint
ALTER TABLE "breaches"."scan" ALTER COLUMN "source" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "breaches"."scan" DROP CONSTRAINT "scan_pkey";--> statement-breakpoint
ALTER TABLE "breaches"."scan" ADD CONSTRAINT "scan_address_source_pk" PRIMARY KEY("address","source");--> statement-breakpoint
ALTER TABLE "breaches"."breach" ADD COLUMN "same_as" text;--> statement-breakpoint
ALTER TABLE "breaches"."exposure" ADD COLUMN "sources" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE "breaches"."exposure" SET "sources" = array[coalesce((SELECT "source" FROM "breaches"."source" ORDER BY "checked_at" DESC NULLS LAST LIMIT 1), 'hibp')];--> statement-breakpoint
ALTER TABLE "breaches"."scan" ADD COLUMN "unsupported" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "breaches"."watch" ADD COLUMN "sha1" text;--> statement-breakpoint
ALTER TABLE "breaches"."watch" ADD COLUMN "sha256" text;--> statement-breakpoint
CREATE INDEX "alert_breach_name" ON "breaches"."alert" USING btree ("breach_name");--> statement-breakpoint
CREATE INDEX "breach_same_as" ON "breaches"."breach" USING btree ("same_as");--> statement-breakpoint
CREATE INDEX "exposure_breach_name" ON "breaches"."exposure" USING btree ("breach_name");--> statement-breakpoint
CREATE INDEX "watch_sha1" ON "breaches"."watch" USING btree ("sha1");--> statement-breakpoint
CREATE INDEX "watch_sha256" ON "breaches"."watch" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "scan_checked_at" ON "breaches"."scan" USING btree ("source","checked_at" NULLS FIRST);--> statement-breakpoint
CREATE INDEX "scan_due_at" ON "breaches"."scan" USING btree ("source","due_at");