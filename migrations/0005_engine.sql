CREATE TABLE "billing"."checkout" (
	"session_id" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"plan" text NOT NULL,
	"quantity" integer NOT NULL,
	"period" text NOT NULL,
	"currency" text NOT NULL,
	"click" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing"."farewell" (
	"customer_id" text PRIMARY KEY NOT NULL,
	"session_ids" jsonb NOT NULL,
	"attempts" integer NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing"."notice" (
	"account_id" uuid NOT NULL,
	"key" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notice_account_id_key_pk" PRIMARY KEY("account_id","key")
);
--> statement-breakpoint
CREATE TABLE "billing"."orders" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"number" text,
	"plan" text,
	"quantity" integer,
	"period" text,
	"amount" integer NOT NULL,
	"refunded" integer NOT NULL,
	"currency" text NOT NULL,
	"state" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing"."payment_event" (
	"id" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "breaches"."change" (
	"id" uuid PRIMARY KEY NOT NULL,
	"breach_name" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"change" jsonb NOT NULL,
	"worse" boolean NOT NULL,
	"told_through" uuid,
	"told_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "breaches"."drill" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"association_id" uuid NOT NULL,
	"address" text NOT NULL,
	"breach_name" text NOT NULL,
	"alert_id" uuid NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "breaches"."logo" (
	"path" text PRIMARY KEY NOT NULL,
	"file" text,
	"type" text,
	"bytes" "bytea",
	"etag" text,
	"fetched_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "breaches"."seen" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "breaches"."stale_notice" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"told_at" timestamp (3) with time zone,
	"since" timestamp (3) with time zone NOT NULL,
	"addresses" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications"."open_receipt" (
	"receipt" text PRIMARY KEY NOT NULL,
	"channel" text NOT NULL,
	"delivery_id" uuid NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"look_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications"."summary" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"through" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications"."telegram_lease" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" uuid NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications"."telegram_link" (
	"contact_id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"candidate" jsonb,
	CONSTRAINT "telegram_link_token_hash" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "notifications"."telegram_update" (
	"id" bigint PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "breaches"."scan_checked_at";--> statement-breakpoint
DROP INDEX "breaches"."scan_due_at";--> statement-breakpoint
DROP INDEX "breaches"."alert_breach_name";--> statement-breakpoint
DROP INDEX "notifications"."delivery_due";--> statement-breakpoint
ALTER TABLE "billing"."subscription" ALTER COLUMN "plan" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ALTER COLUMN "ends_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "trial_ends_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "cap" integer DEFAULT 3;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "customer_id" text;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "customers" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "asked" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "answered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "ask_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "checkout_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "subscription_id" text;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "item_id" text;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "status" text;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "quantity" integer;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "period" text;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "currency" text;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "purchased_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "period_end" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "cancel_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD COLUMN "past_due_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "breaches"."alert" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "breaches"."alert" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "breaches"."alert" ADD COLUMN "steps" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "breaches"."alert" ADD COLUMN "worsened_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "breaches"."source" ADD COLUMN "paused_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "notifications"."contact" ADD COLUMN "settings" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications"."contact" ADD COLUMN "label" text;--> statement-breakpoint
ALTER TABLE "notifications"."contact" ADD COLUMN "chat_id" text;--> statement-breakpoint
ALTER TABLE "notifications"."delivery" ADD COLUMN "turn" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications"."delivery" ADD COLUMN "receipt" text;--> statement-breakpoint
ALTER TABLE "notifications"."delivery" ADD COLUMN "acknowledged_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "notifications"."delivery" ADD COLUMN "gathered_in" uuid;--> statement-breakpoint
CREATE INDEX "checkout_account" ON "billing"."checkout" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "orders_account" ON "billing"."orders" USING btree ("account_id","at");--> statement-breakpoint
CREATE INDEX "payment_event_at" ON "billing"."payment_event" USING btree ("at");--> statement-breakpoint
CREATE INDEX "change_breach_name" ON "breaches"."change" USING btree ("breach_name","at");--> statement-breakpoint
CREATE INDEX "change_untold" ON "breaches"."change" USING btree ("at") WHERE worse and told_at is null;--> statement-breakpoint
CREATE INDEX "drill_started_at" ON "breaches"."drill" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "logo_file" ON "breaches"."logo" USING btree ("file");--> statement-breakpoint
CREATE INDEX "open_receipt_look_at" ON "notifications"."open_receipt" USING btree ("look_at");--> statement-breakpoint
CREATE INDEX "summary_due" ON "notifications"."summary" USING btree ("through","account_id");--> statement-breakpoint
CREATE INDEX "telegram_link_account" ON "notifications"."telegram_link" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "telegram_update_seen_at" ON "notifications"."telegram_update" USING btree ("seen_at");--> statement-breakpoint
CREATE INDEX "subscription_ask_at" ON "billing"."subscription" USING btree ("ask_at");--> statement-breakpoint
CREATE INDEX "scan_new" ON "breaches"."scan" USING btree ("source","due_at","address") WHERE checked_at is null and not unsupported;--> statement-breakpoint
CREATE INDEX "scan_generation" ON "breaches"."scan" USING btree ("source","generation","checked_at" NULLS FIRST,"address");--> statement-breakpoint
CREATE INDEX "scan_due" ON "breaches"."scan" USING btree ("source","due_at","address");--> statement-breakpoint
CREATE INDEX "watch_account" ON "breaches"."watch" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "contact_chat" ON "notifications"."contact" USING btree ("chat_id") WHERE chat_id is not null;--> statement-breakpoint
CREATE INDEX "delivery_waiting" ON "notifications"."delivery" USING btree ("run_at") WHERE state = 'held' and reason in ('digest', 'quiet');--> statement-breakpoint
CREATE INDEX "delivery_contact" ON "notifications"."delivery" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "delivery_alert" ON "notifications"."delivery" USING btree ((about ->> 'alertId'));--> statement-breakpoint
CREATE INDEX "delivery_account_due" ON "notifications"."delivery" USING btree ("account_id","lane","turn") WHERE state = 'due';--> statement-breakpoint
CREATE INDEX "alert_breach_name" ON "breaches"."alert" USING btree ("breach_name","id");--> statement-breakpoint
CREATE INDEX "delivery_due" ON "notifications"."delivery" USING btree ("lane","turn") WHERE state = 'due';--> statement-breakpoint
ALTER TABLE "billing"."subscription" ADD CONSTRAINT "subscription_customer_id_unique" UNIQUE("customer_id");--> statement-breakpoint
UPDATE "billing"."subscription" SET "trial_ends_at" = "ends_at", "plan" = NULL;
