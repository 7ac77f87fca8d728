CREATE TABLE "backup"."schedule" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"last_at" timestamp (3) with time zone,
	"machine" text,
	"file" text,
	"bytes" bigint,
	"rows" integer,
	"seconds" integer,
	"trouble" text,
	"trouble_at" timestamp (3) with time zone,
	CONSTRAINT "schedule_one_row" CHECK ("backup"."schedule"."is_only")
);
