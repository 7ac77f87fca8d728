DROP INDEX "notifications"."delivery_account";--> statement-breakpoint
DROP INDEX "notifications"."delivery_account_due";--> statement-breakpoint
CREATE INDEX "delivery_account_queue" ON "notifications"."delivery" USING btree ("account_id","state","lane","turn");--> statement-breakpoint
-- Events of many alerts are long and soon gone: to compress them takes longer than to write them as they are.
ALTER TABLE "events"."outbox" ALTER COLUMN "event" SET STORAGE EXTERNAL;--> statement-breakpoint
-- What each new alert changes finds room on its own page, so that no index has to change with it.
ALTER TABLE "tracking"."association" SET (fillfactor = 85);--> statement-breakpoint
ALTER TABLE "breaches"."alert_count" SET (fillfactor = 85);
