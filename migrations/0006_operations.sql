CREATE SCHEMA "backup";
--> statement-breakpoint
CREATE SCHEMA "operations";
--> statement-breakpoint
CREATE SCHEMA "support";
--> statement-breakpoint
CREATE TABLE "backup"."erasure" (
	"mark" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity"."api_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"name" text NOT NULL,
	"scopes" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"last_ip_prefix" text,
	"busy_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "api_tokens_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "identity"."staff_acts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"by" text NOT NULL,
	"actor_id" uuid,
	"act" text NOT NULL,
	"object_kind" text NOT NULL,
	"object_id" text,
	"reason" text,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity"."terms_acceptances" (
	"account_id" uuid NOT NULL,
	"version" text NOT NULL,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "terms_acceptances_account_id_version_pk" PRIMARY KEY("account_id","version")
);
--> statement-breakpoint
CREATE TABLE "notifications"."delivery_day" (
	"day" date NOT NULL,
	"channel" text NOT NULL,
	"slot" smallint NOT NULL,
	"accepted" integer NOT NULL,
	"failed" integer NOT NULL,
	"refused" integer NOT NULL,
	"in_doubt" integer NOT NULL,
	"latencies" integer[] NOT NULL,
	CONSTRAINT "delivery_day_day_channel_slot_pk" PRIMARY KEY("day","channel","slot")
);
--> statement-breakpoint
CREATE TABLE "operations"."incident" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"title" jsonb NOT NULL,
	"parts" jsonb NOT NULL,
	"state" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "operations"."incident_update" (
	"id" uuid PRIMARY KEY NOT NULL,
	"incident_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"text" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operations"."part_day" (
	"day" date NOT NULL,
	"part" text NOT NULL,
	"measured" integer NOT NULL,
	"troubled" integer NOT NULL,
	"last_minute" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "part_day_day_part_pk" PRIMARY KEY("day","part")
);
--> statement-breakpoint
CREATE TABLE "operations"."job_run" (
	"name" text PRIMARY KEY NOT NULL,
	"ended_at" timestamp (3) with time zone NOT NULL,
	"failed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "operations"."maintenance" (
	"is_on" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone,
	"message" text,
	CONSTRAINT "maintenance_one_row" CHECK ("operations"."maintenance"."is_on")
);
--> statement-breakpoint
CREATE TABLE "support"."sent" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support"."post" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ticket_id" uuid NOT NULL,
	"key" uuid NOT NULL,
	"by" text NOT NULL,
	"text" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "post_sent_once" UNIQUE("ticket_id","key")
);
--> statement-breakpoint
CREATE TABLE "support"."ticket" (
	"id" uuid PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"account_id" uuid NOT NULL,
	"key" uuid NOT NULL,
	"kind" text NOT NULL,
	"type" text NOT NULL,
	"priority" text,
	"subject" text,
	"description" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text NOT NULL,
	"company" text,
	"language" text NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"consented_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ticket_reference" UNIQUE("reference"),
	CONSTRAINT "ticket_sent_once" UNIQUE("account_id","key")
);
--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "granted_plan" text;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "granted_quantity" integer;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "granted_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "granted_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "identity"."users" ADD COLUMN "staff" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."users" ADD COLUMN "locked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "notifications"."delivery" ADD COLUMN "wanted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "identity"."api_tokens" ADD CONSTRAINT "api_tokens_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."terms_acceptances" ADD CONSTRAINT "terms_acceptances_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operations"."incident_update" ADD CONSTRAINT "incident_update_incident_id_incident_id_fk" FOREIGN KEY ("incident_id") REFERENCES "operations"."incident"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support"."post" ADD CONSTRAINT "post_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "support"."ticket"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_tokens_account" ON "identity"."api_tokens" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "api_tokens_expires_at" ON "identity"."api_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "staff_acts_at" ON "identity"."staff_acts" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "staff_acts_actor" ON "identity"."staff_acts" USING btree ("actor_id","at","id");--> statement-breakpoint
CREATE INDEX "staff_acts_object" ON "identity"."staff_acts" USING btree ("object_id","at");--> statement-breakpoint
CREATE INDEX "incident_starts_at" ON "operations"."incident" USING btree ("starts_at");--> statement-breakpoint
CREATE INDEX "incident_update_incident" ON "operations"."incident_update" USING btree ("incident_id","at");--> statement-breakpoint
CREATE INDEX "post_order" ON "support"."post" USING btree ("ticket_id","at");--> statement-breakpoint
CREATE INDEX "ticket_own" ON "support"."ticket" USING btree ("account_id","kind","changed_at");--> statement-breakpoint
CREATE INDEX "ticket_state" ON "support"."ticket" USING btree ("state","changed_at");--> statement-breakpoint
CREATE INDEX "ticket_closed" ON "support"."ticket" USING btree ("closed_at") WHERE "support"."ticket"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX "users_created" ON "identity"."users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_email_prefix" ON "identity"."users" USING btree ("email" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_last_name_prefix" ON "identity"."users" USING btree (lower("last_name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_full_name_prefix" ON "identity"."users" USING btree (lower("first_name" || ' ' || "last_name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_staff" ON "identity"."users" USING btree ("created_at","id") WHERE "identity"."users"."staff" = true;--> statement-breakpoint
CREATE INDEX "users_locked" ON "identity"."users" USING btree ("created_at","id") WHERE "identity"."users"."locked_at" is not null;--> statement-breakpoint
-- What was written down stays as it was: a person can be taken out of an entry, and an entry ends after its year (the clocks
-- of the product and of the database may differ, so a month less is enough). Nothing else is let through.
CREATE FUNCTION "identity"."audit_grows_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.at < now() - interval '11 months' THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND NOT EXISTS (
    SELECT FROM jsonb_each(to_jsonb(NEW)) AS after JOIN jsonb_each(to_jsonb(OLD)) AS before USING (key)
    WHERE after.value <> before.value AND after.value NOT IN ('null', '{}')
  ) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'An entry of %.% cannot be changed or removed', TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "audit_events_grow_only" BEFORE UPDATE OR DELETE ON "identity"."audit_events" FOR EACH ROW EXECUTE FUNCTION "identity"."audit_grows_only"();--> statement-breakpoint
CREATE TRIGGER "audit_events_stay" BEFORE TRUNCATE ON "identity"."audit_events" FOR EACH STATEMENT EXECUTE FUNCTION "identity"."audit_grows_only"();--> statement-breakpoint
CREATE TRIGGER "staff_acts_grow_only" BEFORE UPDATE OR DELETE ON "identity"."staff_acts" FOR EACH ROW EXECUTE FUNCTION "identity"."audit_grows_only"();--> statement-breakpoint
CREATE TRIGGER "staff_acts_stay" BEFORE TRUNCATE ON "identity"."staff_acts" FOR EACH STATEMENT EXECUTE FUNCTION "identity"."audit_grows_only"();
