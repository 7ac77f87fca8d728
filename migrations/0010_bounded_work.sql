CREATE INDEX "farewell_due_at" ON "billing"."farewell" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "watch_unreported" ON "breaches"."watch" USING btree ("address") WHERE baseline_at is null and not suspended;--> statement-breakpoint
CREATE INDEX "attempts_until" ON "identity"."attempts" USING btree ("until");--> statement-breakpoint
CREATE INDEX "login_codes_expires_at" ON "identity"."login_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "address_mail_at" ON "invitations"."address_mail" USING btree ("at");--> statement-breakpoint
CREATE INDEX "invitation_refused" ON "invitations"."invitation" USING btree ("ended_at") WHERE "invitations"."invitation"."scope" is null;--> statement-breakpoint
CREATE INDEX "sent_until" ON "support"."sent" USING btree ("until");