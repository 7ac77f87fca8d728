CREATE SCHEMA "billing";
--> statement-breakpoint
CREATE SCHEMA "breaches";
--> statement-breakpoint
CREATE SCHEMA "events";
--> statement-breakpoint
CREATE SCHEMA "identity";
--> statement-breakpoint
CREATE SCHEMA "notifications";
--> statement-breakpoint
CREATE SCHEMA "tracking";
--> statement-breakpoint
CREATE TABLE "billing"."subscription" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"plan" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "breaches"."alert_count" (
	"association_id" uuid PRIMARY KEY NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "breaches"."alert" (
	"id" uuid PRIMARY KEY NOT NULL,
	"association_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"address" text NOT NULL,
	"breach_name" text NOT NULL,
	"state" text NOT NULL,
	"baseline" boolean NOT NULL,
	"raised_at" timestamp (3) with time zone NOT NULL,
	"handled_at" timestamp (3) with time zone,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "breaches"."breach" (
	"name" text PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"title_lower" text NOT NULL,
	"added_date" text NOT NULL,
	"pwn_count" bigint NOT NULL,
	"breach" jsonb NOT NULL,
	"hash" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "breaches"."rate_budget" (
	"source" text PRIMARY KEY NOT NULL,
	"next_slot_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "breaches"."exposure" (
	"address" text NOT NULL,
	"breach_name" text NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "exposure_address_breach_name_pk" PRIMARY KEY("address","breach_name")
);
--> statement-breakpoint
CREATE TABLE "breaches"."scan" (
	"address" text PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"generation" integer DEFAULT 0 NOT NULL,
	"request" integer DEFAULT 1 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp (3) with time zone,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "breaches"."source" (
	"source" text PRIMARY KEY NOT NULL,
	"latest_name" text,
	"latest_added" text,
	"generation" integer DEFAULT 0 NOT NULL,
	"synced_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"trouble" text,
	"look_up_trouble" text,
	"next_poll_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "breaches"."watch" (
	"association_id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"address" text NOT NULL,
	"baseline_at" timestamp (3) with time zone,
	"suspended" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events"."outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "events"."outbox_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_key" text,
	"event" jsonb NOT NULL,
	"done_by" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"run_at" timestamp (3) with time zone NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "identity"."attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"tries" integer NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity"."login_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"mac" text,
	"tries" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity"."sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"account_id" uuid NOT NULL,
	"level" text NOT NULL,
	"challenge_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "identity"."users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"company_name" text,
	"language" text NOT NULL,
	"password_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"verified_at" timestamp (3) with time zone,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "notifications"."attempt" (
	"id" uuid PRIMARY KEY NOT NULL,
	"delivery_id" uuid NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"outcome" text,
	"detail" text
);
--> statement-breakpoint
CREATE TABLE "notifications"."channel" (
	"channel" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"paused_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "notifications"."confirmation" (
	"mark" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications"."contact" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"value" text NOT NULL,
	"language" text NOT NULL,
	"state" text NOT NULL,
	"confirm_hash" text,
	"confirm_expires_at" timestamp (3) with time zone,
	"confirmed_at" timestamp (3) with time zone,
	"refused_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "contact_confirm_hash" UNIQUE("confirm_hash"),
	CONSTRAINT "contact_account_place" UNIQUE("account_id","channel","value")
);
--> statement-breakpoint
CREATE TABLE "notifications"."delivery" (
	"id" uuid PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"channel" text NOT NULL,
	"value" text NOT NULL,
	"contact_id" uuid,
	"account_id" uuid,
	"language" text NOT NULL,
	"about" jsonb NOT NULL,
	"sealed" text,
	"not_after" timestamp (3) with time zone,
	"lane" smallint NOT NULL,
	"message_id" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"run_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"claims" integer NOT NULL,
	"attempts" integer NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"in_doubt" boolean NOT NULL,
	"provider_id" text,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone,
	CONSTRAINT "delivery_subject_place" UNIQUE("subject","channel","value")
);
--> statement-breakpoint
CREATE TABLE "tracking"."account" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"plan_changed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "tracking"."association" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"address" text NOT NULL,
	"owner" boolean NOT NULL,
	"language" text NOT NULL,
	"contacts" jsonb NOT NULL,
	"paused" boolean NOT NULL,
	"suspended" boolean NOT NULL,
	"open_alerts" integer NOT NULL,
	"open_version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "identity"."login_codes" ADD CONSTRAINT "login_codes_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_challenge_id_login_codes_id_fk" FOREIGN KEY ("challenge_id") REFERENCES "identity"."login_codes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications"."attempt" ADD CONSTRAINT "attempt_delivery_id_delivery_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "notifications"."delivery"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "subscription_ends_at" ON "billing"."subscription" USING btree ("ends_at") WHERE "billing"."subscription"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "alert_once" ON "breaches"."alert" USING btree ("association_id","breach_name");--> statement-breakpoint
CREATE INDEX "alert_account" ON "breaches"."alert" USING btree ("account_id","raised_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "breach_source" ON "breaches"."breach" USING btree ("source");--> statement-breakpoint
CREATE INDEX "scan_checked_at" ON "breaches"."scan" USING btree ("checked_at" NULLS FIRST);--> statement-breakpoint
CREATE INDEX "scan_due_at" ON "breaches"."scan" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "watch_address" ON "breaches"."watch" USING btree ("address");--> statement-breakpoint
CREATE INDEX "outbox_run_at" ON "events"."outbox" USING btree ("run_at");--> statement-breakpoint
CREATE INDEX "outbox_order" ON "events"."outbox" USING btree ("order_key","position");--> statement-breakpoint
CREATE INDEX "login_codes_account" ON "identity"."login_codes" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "sessions_account" ON "identity"."sessions" USING btree ("account_id","level","created_at");--> statement-breakpoint
CREATE INDEX "sessions_challenge" ON "identity"."sessions" USING btree ("challenge_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at" ON "identity"."sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "users_unverified" ON "identity"."users" USING btree ("created_at") WHERE "identity"."users"."verified_at" is null;--> statement-breakpoint
CREATE INDEX "attempt_delivery" ON "notifications"."attempt" USING btree ("delivery_id","started_at");--> statement-breakpoint
CREATE INDEX "confirmation_mark" ON "notifications"."confirmation" USING btree ("mark","sent_at");--> statement-breakpoint
CREATE INDEX "confirmation_sent_at" ON "notifications"."confirmation" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "delivery_due" ON "notifications"."delivery" USING btree ("lane","run_at") WHERE state = 'due';--> statement-breakpoint
CREATE INDEX "delivery_leased" ON "notifications"."delivery" USING btree ("lease_until") WHERE state = 'sending';--> statement-breakpoint
CREATE INDEX "delivery_held" ON "notifications"."delivery" USING btree ("reason") WHERE state = 'held';--> statement-breakpoint
CREATE INDEX "delivery_not_after" ON "notifications"."delivery" USING btree ("not_after") WHERE not_after is not null and state in ('due', 'held');--> statement-breakpoint
CREATE INDEX "delivery_dead" ON "notifications"."delivery" USING btree ("ended_at") WHERE state = 'dead';--> statement-breakpoint
CREATE INDEX "delivery_in_doubt" ON "notifications"."delivery" USING btree ("created_at") WHERE in_doubt;--> statement-breakpoint
CREATE INDEX "delivery_account" ON "notifications"."delivery" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "association_once" ON "tracking"."association" USING btree ("account_id","address");--> statement-breakpoint
CREATE INDEX "association_account" ON "tracking"."association" USING btree ("account_id","created_at");