-- What was written down stays as it was: a person can be taken out of an entry, and an entry ends after its year (the clocks
-- of the product and of the database may differ, so a month less is enough). Nothing else is let through.
CREATE FUNCTION "identity"."audit_grows_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.at < now() - interval '11 months' THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND NOT EXISTS (
    SELECT FROM jsonb_each(to_jsonb(NEW)) AS after JOIN jsonb_each(to_jsonb(OLD)) AS before USING (key)
    WHERE after.value <> before.value AND after.value NOT IN ('null', '{}')
  ) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'An entry of %.% cannot be changed or removed', TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "audit_events_grow_only" BEFORE UPDATE OR DELETE ON "identity"."audit_events" FOR EACH ROW EXECUTE FUNCTION "identity"."audit_grows_only"();--> statement-breakpoint
CREATE TRIGGER "audit_events_stay" BEFORE TRUNCATE ON "identity"."audit_events" FOR EACH STATEMENT EXECUTE FUNCTION "identity"."audit_grows_only"();--> statement-breakpoint
CREATE TRIGGER "staff_acts_grow_only" BEFORE UPDATE OR DELETE ON "identity"."staff_acts" FOR EACH ROW EXECUTE FUNCTION "identity"."audit_grows_only"();--> statement-breakpoint
CREATE TRIGGER "staff_acts_stay" BEFORE TRUNCATE ON "identity"."staff_acts" FOR EACH STATEMENT EXECUTE FUNCTION "identity"."audit_grows_only"();
