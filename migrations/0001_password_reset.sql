CREATE TABLE "identity"."reset_tokens" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reset_tokens_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "identity"."reset_tokens" ADD CONSTRAINT "reset_tokens_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reset_tokens_expires_at" ON "identity"."reset_tokens" USING btree ("expires_at");