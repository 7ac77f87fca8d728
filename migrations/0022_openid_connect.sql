ALTER TABLE "identity"."sessions" ADD COLUMN "provider" jsonb;--> statement-breakpoint
ALTER TABLE "identity"."users" ADD COLUMN "staff_by" text;--> statement-breakpoint
CREATE INDEX "sessions_provider_subject" ON "identity"."sessions" USING btree ((provider->>'subject')) WHERE "identity"."sessions"."provider" is not null;--> statement-breakpoint
CREATE INDEX "sessions_provider_sid" ON "identity"."sessions" USING btree ((provider->>'sid')) WHERE "identity"."sessions"."provider" is not null;