import { Burger } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserCircle } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { PRODUCT } from "../../../src/shared/product.ts";
import { useText } from "../../app/i18n.tsx";
import type { ShownEntry } from "../../app/navigation.ts";
import { useOverlays } from "../dialog/use_overlays.ts";
import classes from "./app_frame.module.css";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { LanguagePicker } from "./language_picker.tsx";
import { Logo } from "./logo.tsx";
import { Sidebar } from "./sidebar.tsx";
import { ThemePicker } from "./theme_picker.tsx";

const SIDEBAR_KEY = "sidebar";

type Props = {
  navigation: ShownEntry[];
  bell: ReactNode;
  account: string;
  /** A notice about the whole service, shown above every page. */
  banner: ReactNode;
  onLogout: () => void;
  children: ReactNode;
};

/**
 * The frame of signed-in users: a header, with the navigation in a sidebar on wide screens and in a drawer on small
 * ones.
 */
export function AppFrame({ navigation, bell, account, banner, onLogout, children }: Props) {
  const [opened, drawer] = useDisclosure();
  const text = useText();
  const [narrow, toggleNarrow] = useNarrow();
  const menu = { navigation, onLogout };
  return (
    <div className={classes.frame} data-frame="app" data-narrow={narrow || undefined}>
      <header className={classes.header}>
        <Burger
          opened={opened}
          onClick={drawer.toggle}
          hiddenFrom="md"
          size="sm"
          aria-label={text("frame.menu")}
          aria-expanded={opened}
        />
        <Brand />
        <Tools bell={bell} account={account} />
      </header>
      <nav className={classes.sidebar} aria-label={text("frame.navigation")}>
        <Sidebar {...menu} narrow={narrow} onToggle={toggleNarrow} />
      </nav>
      <NavigationDrawer opened={opened} title={account} menu={menu} onClose={drawer.close} />
      <main className={classes.main} tabIndex={-1}>
        <div className={classes.content}>
          <div data-screen-only>{banner}</div>
          <Breadcrumbs />
          {children}
        </div>
      </main>
    </div>
  );
}

function Brand() {
  return (
    <Link to="dashboard" className={classes.brand}>
      <Logo size={30} />
      <span>{PRODUCT}</span>
    </Link>
  );
}

function Pickers() {
  return (
    <>
      <LanguagePicker />
      <ThemePicker />
    </>
  );
}

/** On small screens the pickers are in the drawer. */
function Tools({ bell, account }: Pick<Props, "bell" | "account">) {
  return (
    <div className={classes.tools}>
      <div className={classes.wide}>
        <Pickers />
      </div>
      {bell}
      <Link to="profile" className={classes.account}>
        <IconUserCircle size={22} stroke={1.75} aria-hidden="true" />
        <span dir="auto">{account}</span>
      </Link>
    </div>
  );
}

type DrawerProps = {
  opened: boolean;
  title: string;
  menu: Pick<Props, "navigation" | "onLogout">;
  onClose: () => void;
};

function NavigationDrawer({ opened, title, menu, onClose }: DrawerProps) {
  const text = useText();
  const { overlays, isOpen } = useOverlays(opened, onClose);
  if (!overlays) return null;
  return (
    <overlays.Drawer
      opened={isOpen}
      onClose={onClose}
      title={title}
      closeButtonProps={{ "aria-label": text("close") }}
      size={300}
      hiddenFrom="md"
    >
      <nav aria-label={text("frame.navigation")}>
        <Sidebar {...menu} onChoose={onClose} />
      </nav>
      <div className={classes.pickers}>
        <Pickers />
      </div>
    </overlays.Drawer>
  );
}

/** Whether the sidebar is collapsed, as chosen on this device. */
function useNarrow() {
  const [narrow, setNarrow] = useState(() => localStorage.getItem(SIDEBAR_KEY) === "narrow");
  function toggle() {
    localStorage.setItem(SIDEBAR_KEY, narrow ? "wide" : "narrow");
    setNarrow(!narrow);
  }
  return [narrow, toggle] as const;
}
