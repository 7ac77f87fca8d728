CREATE TABLE "notifications"."push_key" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"public_key" text NOT NULL,
	"sealed" text NOT NULL,
	CONSTRAINT "push_key_one_row" CHECK ("notifications"."push_key"."is_only")
);
