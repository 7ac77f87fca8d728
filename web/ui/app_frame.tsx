import { AppShell, Burger, Drawer, NavLink } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconExternalLink, IconLogout, IconUserCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link, useLocation, useParams } from "react-router";
import { PRODUCT } from "../../src/shared/product.ts";
import { useText } from "../i18n.tsx";
import { splitPath } from "../language.ts";
import type { ShownEntry } from "../navigation.ts";
import classes from "./app_frame.module.css";
import { LanguagePicker } from "./language_picker.tsx";
import { Logo } from "./logo.tsx";
import { ThemePicker } from "./theme_picker.tsx";

type Props = {
  navigation: ShownEntry[];
  bell: ReactNode;
  account: string;
  banner: ReactNode;
  onLogout: () => void;
  children: ReactNode;
};

/** The frame of signed-in people: bar on top, sidebar on wide screens, the same in a drawer on small ones. */
export function AppFrame({ navigation, bell, account, banner, onLogout, children }: Props) {
  const [opened, drawer] = useDisclosure();
  const { lang } = useParams();
  const text = useText();
  const menu = <Sidebar navigation={navigation} onLogout={onLogout} onChoose={drawer.close} />;
  return (
    <AppShell header={{ height: 64 }} navbar={{ width: 256, breakpoint: "md", collapsed: { mobile: true } }}>
      <AppShell.Header className={classes.header}>
        <Burger
          opened={opened}
          onClick={drawer.toggle}
          hiddenFrom="md"
          size="sm"
          aria-label={text("frame.menu")}
          aria-expanded={opened}
        />
        <Link to={`/${lang}/dashboard`} className={classes.brand}>
          <Logo size={30} />
          <span>{PRODUCT}</span>
        </Link>
        <div className={classes.tools}>
          <div className={classes.wide}>
            <LanguagePicker />
            <ThemePicker />
          </div>
          {bell}
          <Link to={`/${lang}/profile`} className={classes.account}>
            <IconUserCircle size={22} stroke={1.75} aria-hidden="true" />
            <span>{account}</span>
          </Link>
        </div>
      </AppShell.Header>
      <AppShell.Navbar className={classes.sidebar} aria-label={text("frame.navigation")}>
        {menu}
      </AppShell.Navbar>
      <Drawer
        opened={opened}
        onClose={drawer.close}
        title={account}
        closeButtonProps={{ "aria-label": text("close") }}
        size={300}
        hiddenFrom="md"
      >
        <nav aria-label={text("frame.navigation")}>{menu}</nav>
        <div className={classes.pickers}>
          <LanguagePicker />
          <ThemePicker />
        </div>
      </Drawer>
      <AppShell.Main className={classes.main} tabIndex={-1}>
        <div className={classes.content}>
          {banner}
          {children}
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

type SidebarProps = Pick<Props, "navigation" | "onLogout"> & { onChoose: () => void };

function Sidebar({ navigation, onLogout, onChoose }: SidebarProps) {
  const text = useText();
  return (
    <>
      {navigation.map((entry) => (
        <Entry key={entry.path} entry={entry} onChoose={onChoose} />
      ))}
      <NavLink
        component="button"
        label={text("nav.logout")}
        leftSection={<IconLogout size={20} stroke={1.75} aria-hidden="true" />}
        onClick={onLogout}
        className={classes.entry}
      />
    </>
  );
}

type EntryProps = { entry: ShownEntry; onChoose: () => void };

function Entry({ entry: { path, url, label, icon: Mark }, onChoose }: EntryProps) {
  const { lang } = useParams();
  const isHere = splitPath(useLocation().pathname).rest === `/${path}`;
  const text = useText();
  const look = {
    label: text(label),
    leftSection: <Mark size={20} stroke={1.75} aria-hidden="true" />,
    onClick: onChoose,
    className: classes.entry,
  };
  if (url !== null)
    return (
      <NavLink
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        rightSection={<IconExternalLink size={16} stroke={1.75} aria-hidden="true" />}
        {...look}
      />
    );
  return (
    <NavLink
      component={Link}
      to={`/${lang}/${path}`}
      active={isHere}
      aria-current={isHere ? "page" : undefined}
      {...look}
    />
  );
}
