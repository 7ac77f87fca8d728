CREATE TABLE "breaches"."trace" (
	"account_id" uuid NOT NULL,
	"address" text NOT NULL,
	"again_at" timestamp (3) with time zone NOT NULL,
	"asked_at" timestamp (3) with time zone,
	"pastes" jsonb,
	"sites" text[],
	"sites_refused" boolean DEFAULT false NOT NULL,
	"done" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "trace_account_id_address_pk" PRIMARY KEY("account_id","address")
);
--> statement-breakpoint
CREATE INDEX "trace_address" ON "breaches"."trace" USING btree ("address");