CREATE SCHEMA "domains";
--> statement-breakpoint
CREATE TABLE "domains"."breach_total" (
	"domain" text NOT NULL,
	"name" text NOT NULL,
	"addresses" integer NOT NULL,
	"role_sensitive" integer NOT NULL,
	"latest_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "breach_total_domain_name_pk" PRIMARY KEY("domain","name")
);
--> statement-breakpoint
CREATE TABLE "domains"."source" (
	"domain" text NOT NULL,
	"source" text NOT NULL,
	"state" text NOT NULL,
	"generation" integer,
	"asked_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone NOT NULL,
	"reason" text,
	"record" text,
	CONSTRAINT "source_domain_source_pk" PRIMARY KEY("domain","source")
);
--> statement-breakpoint
CREATE TABLE "domains"."domain" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"name" text NOT NULL,
	"proof" text NOT NULL,
	"mailbox" text,
	"token" text NOT NULL,
	"code_hash" text,
	"code_expires_at" timestamp (3) with time zone,
	"code_tries" integer NOT NULL,
	"state" text NOT NULL,
	"catch_all" boolean NOT NULL,
	"role_sensitive" boolean NOT NULL,
	"digest" text NOT NULL,
	"tell_people" boolean NOT NULL,
	"language" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"looked_at" timestamp (3) with time zone,
	"seen_at" timestamp (3) with time zone,
	"proven_at" timestamp (3) with time zone,
	"effective_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"told_at" timestamp (3) with time zone,
	"version" integer NOT NULL,
	"people_due_at" timestamp (3) with time zone,
	"telling_due_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "domains"."finding" (
	"domain" text NOT NULL,
	"alias" text collate "C" NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"sensitive" boolean NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "finding_domain_alias_kind_name_pk" PRIMARY KEY("domain","alias","kind","name")
);
--> statement-breakpoint
CREATE TABLE "domains"."look" (
	"domain" text NOT NULL,
	"account_id" uuid NOT NULL,
	"what" text NOT NULL,
	"alias" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "look_domain_account_id_what_alias_hour_pk" PRIMARY KEY("domain","account_id","what","alias","hour")
);
--> statement-breakpoint
CREATE TABLE "domains"."mailbox" (
	"domain" text NOT NULL,
	"alias" text collate "C" NOT NULL,
	"kind" text NOT NULL,
	"plain" integer NOT NULL,
	"sensitive" integer NOT NULL,
	"latest_at" timestamp (3) with time zone NOT NULL,
	"told_at" timestamp (3) with time zone,
	"news_at" timestamp (3) with time zone,
	"put_off_at" timestamp (3) with time zone,
	"language" text,
	"say" text NOT NULL,
	"taken_at" timestamp (3) with time zone,
	CONSTRAINT "mailbox_domain_alias_pk" PRIMARY KEY("domain","alias")
);
--> statement-breakpoint
CREATE TABLE "tracking"."alias" (
	"id" uuid PRIMARY KEY NOT NULL,
	"association_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"address" text NOT NULL,
	"origin" text NOT NULL,
	"state" text NOT NULL,
	"token_hash" text,
	"mail_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "breaches"."alert" ADD COLUMN "variants" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "breaches"."watch" ADD COLUMN "alias_of" uuid;--> statement-breakpoint
CREATE INDEX "source_due" ON "domains"."source" USING btree ("source","due_at");--> statement-breakpoint
CREATE INDEX "domain_people" ON "domains"."domain" USING btree ("people_due_at") WHERE people_due_at is not null;--> statement-breakpoint
CREATE INDEX "domain_telling" ON "domains"."domain" USING btree ("telling_due_at") WHERE telling_due_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "domain_once" ON "domains"."domain" USING btree ("account_id","name");--> statement-breakpoint
CREATE INDEX "domain_name" ON "domains"."domain" USING btree ("name","created_at");--> statement-breakpoint
CREATE INDEX "domain_due" ON "domains"."domain" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "finding_name" ON "domains"."finding" USING btree ("domain","kind","name","alias");--> statement-breakpoint
CREATE INDEX "finding_found" ON "domains"."finding" USING btree ("domain","found_at");--> statement-breakpoint
CREATE INDEX "look_account" ON "domains"."look" USING btree ("account_id","at");--> statement-breakpoint
CREATE INDEX "look_alias" ON "domains"."look" USING btree ("domain","alias","at");--> statement-breakpoint
CREATE INDEX "look_at" ON "domains"."look" USING btree ("at");--> statement-breakpoint
CREATE INDEX "mailbox_told" ON "domains"."mailbox" USING btree ("domain","told_at");--> statement-breakpoint
CREATE UNIQUE INDEX "alias_once" ON "tracking"."alias" USING btree ("association_id","address");--> statement-breakpoint
CREATE INDEX "alias_account" ON "tracking"."alias" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "alias_address" ON "tracking"."alias" USING btree ("address");--> statement-breakpoint
CREATE UNIQUE INDEX "alias_token" ON "tracking"."alias" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "alias_mail" ON "tracking"."alias" USING btree ("mail_at") WHERE mail_at is not null;--> statement-breakpoint
CREATE INDEX "alias_expiry" ON "tracking"."alias" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
CREATE INDEX "watch_alias_of" ON "breaches"."watch" USING btree ("alias_of") WHERE alias_of is not null;