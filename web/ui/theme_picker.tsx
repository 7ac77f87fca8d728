import { SegmentedControl, useMantineColorScheme, VisuallyHidden } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { useText } from "../i18n.tsx";

const SCHEMES = [
  { value: "light", label: "theme.light", icon: IconSun },
  { value: "dark", label: "theme.dark", icon: IconMoon },
  { value: "auto", label: "theme.system", icon: IconDeviceDesktop },
] as const;

/** Light, dark, or what the system says. */
export function ThemePicker() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const text = useText();
  return (
    <SegmentedControl
      aria-label={text("theme.label")}
      value={colorScheme}
      onChange={setColorScheme}
      size="sm"
      data={SCHEMES.map(({ value, label, icon: Mark }) => ({
        value,
        label: (
          <>
            <Mark size={18} stroke={1.75} aria-hidden="true" display="block" />
            <VisuallyHidden>{text(label)}</VisuallyHidden>
          </>
        ),
      }))}
    />
  );
}
