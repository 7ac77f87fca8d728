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
CREATE INDEX "stranger_mail_mailbox" ON "events"."stranger_mail" USING btree ("mailbox","at");--> statement-breakpoint
CREATE INDEX "stranger_mail_asker" ON "events"."stranger_mail" USING btree ("asker","at");--> statement-breakpoint
CREATE INDEX "stranger_mail_network" ON "events"."stranger_mail" USING btree ("network","at");--> statement-breakpoint
CREATE INDEX "stranger_mail_at" ON "events"."stranger_mail" USING btree ("at");--> statement-breakpoint
CREATE INDEX "refusal_asker" ON "invitations"."refusal" USING btree ("asker_mark");--> statement-breakpoint
CREATE INDEX "refusal_declined" ON "invitations"."refusal" USING btree ("declined_at") WHERE "invitations"."refusal"."blocked_at" is null;