CREATE TABLE "breaches"."disclosure" (
	"address" text NOT NULL,
	"source" text NOT NULL,
	"form" text NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"times" integer NOT NULL,
	CONSTRAINT "disclosure_address_source_form_pk" PRIMARY KEY("address","source","form")
);
--> statement-breakpoint
CREATE TABLE "breaches"."service_page" (
	"domain" text PRIMARY KEY NOT NULL,
	"has_page" boolean DEFAULT false NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "breaches"."alert" ADD COLUMN "changed_since" text;