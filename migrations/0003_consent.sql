CREATE SCHEMA "invitations";
--> statement-breakpoint
CREATE TABLE "invitations"."address_mail" (
	"id" uuid PRIMARY KEY NOT NULL,
	"mark" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations"."block" (
	"address_mark" text NOT NULL,
	"inviter_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "block_address_mark_inviter_id_pk" PRIMARY KEY("address_mark","inviter_id")
);
--> statement-breakpoint
CREATE TABLE "invitations"."consent_record" (
	"id" uuid PRIMARY KEY NOT NULL,
	"invitation_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"act" text NOT NULL,
	"by" text NOT NULL,
	"scope" jsonb,
	"language" text NOT NULL,
	"wording" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations"."invitation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"association_id" uuid NOT NULL,
	"inviter_id" uuid NOT NULL,
	"address" text NOT NULL,
	"kind" text NOT NULL,
	"language" text NOT NULL,
	"state" text NOT NULL,
	"scope" jsonb,
	"token_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"reminders" integer NOT NULL,
	"next_mail_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"version" integer NOT NULL,
	CONSTRAINT "invitation_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "breaches"."watch" ADD COLUMN "details" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "breaches"."watch" ADD COLUMN "sensitive" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "tracking"."association" ADD COLUMN "consent" text DEFAULT 'own' NOT NULL;--> statement-breakpoint
ALTER TABLE "tracking"."association" ADD COLUMN "scope" jsonb DEFAULT '{"details":true,"sensitive":true}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "tracking"."association" ADD COLUMN "scope_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tracking"."association" ADD COLUMN "preferred" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations"."consent_record" ADD CONSTRAINT "consent_record_invitation_id_invitation_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "invitations"."invitation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "address_mail_mark" ON "invitations"."address_mail" USING btree ("mark","at");--> statement-breakpoint
CREATE INDEX "consent_record_invitation" ON "invitations"."consent_record" USING btree ("invitation_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "invitation_once" ON "invitations"."invitation" USING btree ("association_id");--> statement-breakpoint
CREATE INDEX "invitation_inviter" ON "invitations"."invitation" USING btree ("inviter_id","state","created_at");--> statement-breakpoint
CREATE INDEX "invitation_address" ON "invitations"."invitation" USING btree ("address","state","created_at");--> statement-breakpoint
CREATE INDEX "invitation_next_mail" ON "invitations"."invitation" USING btree ("next_mail_at") WHERE "invitations"."invitation"."next_mail_at" is not null;--> statement-breakpoint
CREATE INDEX "invitation_expires" ON "invitations"."invitation" USING btree ("expires_at") WHERE "invitations"."invitation"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "association_address" ON "tracking"."association" USING btree ("address");