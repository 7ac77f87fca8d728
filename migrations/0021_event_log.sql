CREATE TABLE "operations"."event_log" (
	"position" bigint PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"account_id" uuid,
	"actor_id" uuid,
	"about" jsonb NOT NULL,
	CONSTRAINT "event_log_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "operations"."event_sink" (
	"name" text PRIMARY KEY NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"trouble" text
);
--> statement-breakpoint
CREATE INDEX "event_log_account" ON "operations"."event_log" USING btree ("account_id","position");--> statement-breakpoint
CREATE INDEX "event_log_actor" ON "operations"."event_log" USING btree ("actor_id");