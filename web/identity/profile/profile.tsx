import { Button } from "@mantine/core";
import { IconUserEdit } from "@tabler/icons-react";
import { Link } from "react-router";
import { useText } from "../../app/i18n.tsx";
import { DialogStack } from "../../ui/dialog/confirmation.tsx";
import { PageHead } from "../../ui/frame/page_head.tsx";
import { Security } from "../factors/security.tsx";
import { AccountFacts } from "./account_facts.tsx";
import { Activity } from "./activity.tsx";
import { Orders } from "./orders.tsx";
import classes from "./profile.module.css";
import { ProfileLoading, useProfileReady } from "./profile_loading.tsx";
import { Sessions } from "./sessions.tsx";
import { YourData } from "./your_data.tsx";

export default function Profile() {
  const text = useText();
  const isReady = useProfileReady();
  return (
    <DialogStack>
      <PageHead
        title={text("profile.title")}
        action={
          <Button component={Link} to="../profile-edit" leftSection={<IconUserEdit size={20} aria-hidden="true" />}>
            {text("profile.edit")}
          </Button>
        }
      >
        {text("profile.lead")}
      </PageHead>
      {isReady ? (
        <div className={classes.columns}>
          <AccountFacts />
          <div className={classes.column}>
            <Orders />
            <Security />
            <Sessions />
            <Activity />
            <YourData />
          </div>
        </div>
      ) : (
        <ProfileLoading />
      )}
    </DialogStack>
  );
}
