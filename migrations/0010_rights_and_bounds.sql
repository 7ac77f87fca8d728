CREATE TABLE "billing"."former_trial" (
	"mark" text PRIMARY KEY NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events"."stranger_mail" (
	"id" uuid PRIMARY KEY NOT NULL,
	"mailbox" text NOT NULL,
	"asker" text,
	"network" text,
	"claimed" boolean NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations"."refusal" (
	"owner_mark" text NOT NULL,
	"asker_mark" text NOT NULL,
	"blocked_at" timestamp (3) with time zone,
	"declined_at" timestamp (3) with time zone,
	CONSTRAINT "refusal_owner_mark_asker_mark_pk" PRIMARY KEY("owner_mark","asker_mark")
);
--> statement-breakpoint
ALTER TABLE "identity"."attempts" ADD COLUMN "reserved" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."email_changes" ADD COLUMN "former_address" text DEFAULT 'ask' NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."users" ADD COLUMN "device_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "stranger_mail_mailbox" ON "events"."stranger_mail" USING btree ("mailbox","at");--> statement-breakpoint
CREATE INDEX "stranger_mail_asker" ON "events"."stranger_mail" USING btree ("asker","at");--> statement-breakpoint
CREATE INDEX "stranger_mail_network" ON "events"."stranger_mail" USING btree ("network","at");--> statement-breakpoint
CREATE INDEX "stranger_mail_at" ON "events"."stranger_mail" USING btree ("at");--> statement-breakpoint
CREATE INDEX "refusal_asker" ON "invitations"."refusal" USING btree ("asker_mark");--> statement-breakpoint
CREATE INDEX "refusal_declined" ON "invitations"."refusal" USING btree ("declined_at") WHERE "invitations"."refusal"."blocked_at" is null;--> statement-breakpoint
CREATE INDEX "farewell_due_at" ON "billing"."farewell" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "watch_unreported" ON "breaches"."watch" USING btree ("address") WHERE baseline_at is null and not suspended;--> statement-breakpoint
CREATE INDEX "attempts_until" ON "identity"."attempts" USING btree ("until");--> statement-breakpoint
CREATE INDEX "login_codes_expires_at" ON "identity"."login_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "invitation_ended" ON "invitations"."invitation" USING btree ("ended_at") WHERE "invitations"."invitation"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "telegram_link_unused" ON "notifications"."telegram_link" USING btree ("expires_at") WHERE "notifications"."telegram_link"."used_at" is null;--> statement-breakpoint
CREATE INDEX "sent_until" ON "support"."sent" USING btree ("until");--> statement-breakpoint
CREATE INDEX "association_own" ON "tracking"."association" USING btree ("id") WHERE consent = 'own';