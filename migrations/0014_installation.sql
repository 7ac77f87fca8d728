CREATE TABLE "backup"."installation" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"value" text NOT NULL,
	"mac" text NOT NULL,
	CONSTRAINT "installation_one_row" CHECK ("backup"."installation"."is_only")
);
