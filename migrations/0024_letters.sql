CREATE TABLE "breaches"."letter" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"association_id" uuid NOT NULL,
	"alert_id" uuid NOT NULL,
	"address" text NOT NULL,
	"company" text NOT NULL,
	"asks" text[] NOT NULL,
	"country" text NOT NULL,
	"language" text NOT NULL,
	"sent_on" date NOT NULL,
	"due_on" date,
	"answered" boolean DEFAULT false NOT NULL,
	"reminded_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "letter_account" ON "breaches"."letter" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "letter_due" ON "breaches"."letter" USING btree ("due_on") WHERE not answered and reminded_at is null;