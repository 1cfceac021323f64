import { theme as antdTheme, type ThemeConfig } from 'antd';

/**
 * Everything a brand would change, in one file. `accent` is the only colour of our own; the others mean something:
 * a status, or the direction of money.
 */
interface Palette {
  readonly accent: string;
  readonly accentSoft: string;
  /** Ground behind panels, panels, and what floats above them. */
  readonly ground: string;
  readonly surface: string;
  readonly raised: string;
  readonly sunken: string;
  readonly line: string;
  readonly text: string;
  readonly textSoft: string;
  readonly textFaint: string;
  readonly positive: string;
  readonly negative: string;
  readonly warning: string;
  readonly pending: string;
  readonly fresh: string;
}

const LIGHT: Palette = {
  accent: '#3451b2',
  accentSoft: '#eef1fb',
  ground: '#f4f5f7',
  surface: '#ffffff',
  raised: '#ffffff',
  sunken: '#f8f9fa',
  line: '#e4e6ea',
  text: '#1b1e24',
  textSoft: '#5b616e',
  textFaint: '#646a74',
  positive: '#18794e',
  negative: '#c22b2b',
  warning: '#96580a',
  pending: '#3451b2',
  fresh: '#fff6d6',
};

const DARK: Palette = {
  accent: '#8da2f0',
  accentSoft: '#232a44',
  ground: '#0f1115',
  surface: '#171a20',
  raised: '#1e2229',
  sunken: '#13161b',
  line: '#2a2f38',
  text: '#e6e8ec',
  textSoft: '#a4abb8',
  textFaint: '#8b93a1',
  positive: '#4cc38a',
  negative: '#ff8a84',
  warning: '#f0b45b',
  pending: '#9db1ff',
  fresh: '#33301c',
};

/** Solid buttons carry white text on both grounds. */
const SOLID_ACCENT = '#3451b2';
const SOLID_ACCENT_DARK = '#5069cf';

const FONT =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'PingFang SC', 'PingFang TC', 'Microsoft YaHei', 'Microsoft JhengHei', 'Noto Sans CJK SC', 'Noto Sans', Roboto, sans-serif";
const MONO = "ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace";

export type Appearance = 'light' | 'dark';

export function antdThemeOf(appearance: Appearance): ThemeConfig {
  const dark = appearance === 'dark';
  const palette = dark ? DARK : LIGHT;
  return {
    algorithm: dark ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm,
    hashed: false,
    token: {
      colorPrimary: dark ? SOLID_ACCENT_DARK : SOLID_ACCENT,
      colorLink: palette.accent,
      colorLinkHover: palette.accent,
      colorSuccess: palette.positive,
      colorError: palette.negative,
      colorWarning: palette.warning,
      colorInfo: dark ? SOLID_ACCENT_DARK : SOLID_ACCENT,
      colorBgLayout: palette.ground,
      colorBgContainer: palette.surface,
      colorBgElevated: palette.raised,
      colorBorder: dark ? '#3a414d' : '#d3d7de',
      colorBorderSecondary: palette.line,
      colorText: palette.text,
      colorTextSecondary: palette.textSoft,
      colorTextTertiary: palette.textFaint,
      colorTextPlaceholder: palette.textFaint,
      colorTextDescription: palette.textSoft,
      fontFamily: FONT,
      fontFamilyCode: MONO,
      fontSize: 13,
      controlHeight: 30,
      controlHeightSM: 24,
      borderRadius: 5,
      wireframe: false,
    },
    components: {
      Table: {
        headerBg: palette.sunken,
        headerColor: palette.textSoft,
        headerSplitColor: 'transparent',
        rowHoverBg: palette.sunken,
        cellPaddingBlockSM: 5,
        cellPaddingInlineSM: 10,
        cellPaddingBlockMD: 9,
        cellPaddingInlineMD: 10,
        cellFontSizeSM: 13,
        cellFontSizeMD: 13,
      },
      Menu: {
        itemHeight: 36,
        itemBg: 'transparent',
        subMenuItemBg: 'transparent',
        itemSelectedBg: palette.accentSoft,
        itemSelectedColor: palette.accent,
        itemBorderRadius: 5,
        activeBarBorderWidth: 0,
      },
      Layout: { headerBg: palette.surface, siderBg: palette.surface, bodyBg: palette.ground },
      Form: { verticalLabelPadding: '0 0 4px', itemMarginBottom: 16 },
      Tooltip: { fontSize: 12 },
    },
  };
}

/** The same palette as CSS variables (`--accent`, `--text-soft`), for what antd does not draw. */
export function paint(appearance: Appearance): void {
  const root = document.documentElement;
  root.dataset['appearance'] = appearance;
  root.style.colorScheme = appearance;
  for (const [name, value] of Object.entries(appearance === 'dark' ? DARK : LIGHT)) {
    root.style.setProperty(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, value);
  }
  root.style.setProperty('--font', FONT);
  root.style.setProperty('--mono', MONO);
}
