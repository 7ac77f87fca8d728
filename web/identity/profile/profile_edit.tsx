import { useQuery } from "@tanstack/react-query";
import { profileQuery } from "../../api/queries.ts";
import { useText } from "../../app/i18n.tsx";
import { DialogStack } from "../../ui/dialog/confirmation.tsx";
import { Fetched } from "../../ui/display/fetched.tsx";
import { PageHead } from "../../ui/frame/page_head.tsx";
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
