import { useQuery } from "@tanstack/react-query";
import { useText } from "../i18n.tsx";
import { profileQuery } from "../queries.ts";
import { DialogStack } from "../ui/confirmation.tsx";
import { Fetched } from "../ui/fetched.tsx";
import { PageHead } from "../ui/page_head.tsx";
import { EmailForm } from "./email_form.tsx";
import classes from "./profile.module.css";
import { ProfileForm } from "./profile_form.tsx";
import { SummaryForm } from "./summary_form.tsx";

export default function ProfileEdit() {
  const text = useText();
  const query = useQuery(profileQuery);
  return (
    <DialogStack>
      <PageHead title={text("edit.title")} />
      <div className={classes.narrow}>
        <Fetched query={query} failureTitle={text("profile.load_failed")} height={520}>
          {(profile) => (
            <>
              <ProfileForm profile={profile} />
              <EmailForm profile={profile} />
              <SummaryForm />
            </>
          )}
        </Fetched>
      </div>
    </DialogStack>
  );
}
