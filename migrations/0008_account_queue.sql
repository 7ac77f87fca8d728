DROP INDEX "notifications"."delivery_account";--> statement-breakpoint
DROP INDEX "notifications"."delivery_account_due";--> statement-breakpoint
CREATE INDEX "delivery_account_queue" ON "notifications"."delivery" USING btree ("account_id","state","lane","turn");