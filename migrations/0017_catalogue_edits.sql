ALTER TABLE "breaches"."breach" ADD COLUMN "former_lower" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "breaches"."breach" ADD COLUMN "awaited_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "breaches"."source" ADD COLUMN "left_out" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "breach_awaited" ON "breaches"."breach" USING btree ("awaited_until") WHERE awaited_until is not null;--> statement-breakpoint
UPDATE "breaches"."breach" SET "former_lower" = "former"."titles" FROM (SELECT "breach_name", string_agg(lower("change"->'title'->>'from'), E'\n') AS "titles" FROM "breaches"."change" WHERE jsonb_typeof("change"->'title') = 'object' GROUP BY "breach_name") AS "former" WHERE "breach"."name" = "former"."breach_name";
