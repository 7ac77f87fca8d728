ALTER TABLE "identity"."attempts" ADD COLUMN "reserved" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."users" ADD COLUMN "device_epoch" integer DEFAULT 0 NOT NULL;