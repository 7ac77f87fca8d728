CREATE TABLE "identity"."audit_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"account_id" uuid,
	"event" text NOT NULL,
	"session_mark" text,
	"ip_prefix" text,
	"device" jsonb NOT NULL,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity"."authenticators" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"sealed_secret" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity"."email_changes" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "email_changes_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "identity"."passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "identity"."provider_links" (
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"account_id" uuid NOT NULL,
	"email" text NOT NULL,
	"linked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "provider_links_provider_subject_pk" PRIMARY KEY("provider","subject")
);
--> statement-breakpoint
CREATE TABLE "identity"."recovery_codes" (
	"account_id" uuid NOT NULL,
	"mac" text NOT NULL,
	CONSTRAINT "recovery_codes_account_id_mac_pk" PRIMARY KEY("account_id","mac")
);
--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD COLUMN "device" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD COLUMN "ip_prefix" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD COLUMN "confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD COLUMN "link" jsonb;--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD COLUMN "passkey_challenge" text;--> statement-breakpoint
ALTER TABLE "identity"."users" ADD COLUMN "default_contacts" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."users" ADD COLUMN "wrong_codes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."authenticators" ADD CONSTRAINT "authenticators_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."email_changes" ADD CONSTRAINT "email_changes_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."passkeys" ADD CONSTRAINT "passkeys_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."provider_links" ADD CONSTRAINT "provider_links_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."recovery_codes" ADD CONSTRAINT "recovery_codes_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_events_account" ON "identity"."audit_events" USING btree ("account_id","at");--> statement-breakpoint
CREATE INDEX "audit_events_at" ON "identity"."audit_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "email_changes_expires_at" ON "identity"."email_changes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_account" ON "identity"."passkeys" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_links_account" ON "identity"."provider_links" USING btree ("account_id","provider");