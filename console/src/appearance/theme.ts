/**
 * Everything that a rebranding would change. `accent` is the only brand colour; every other colour has a meaning: a status, or the
 * direction of money.
 */
interface Palette {
  readonly accent: string;
  readonly accentSoft: string;
  /** Background of buttons, dark enough for white text in both themes. */
  readonly solidAccent: string;
  /** Backgrounds of the page, of panels, and of what floats above panels. */
  readonly ground: string;
  readonly surface: string;
  readonly raised: string;
  readonly sunken: string;
  readonly line: string;
  /** Borders of fields. */
  readonly lineStrong: string;
  readonly text: string;
  readonly textSoft: string;
  readonly textFaint: string;
  readonly positive: string;
  readonly negative: string;
  readonly warning: string;
  /** Backgrounds for text in these colours. The ones antd derives from such dark colours are too grey to read on. */
  readonly positiveSoft: string;
  readonly warningSoft: string;
  readonly pending: string;
  readonly fresh: string;
}

export const LIGHT: Palette = {
  accent: '#3451b2',
  accentSoft: '#eef1fb',
  solidAccent: '#3451b2',
  ground: '#f4f5f7',
  surface: '#ffffff',
  raised: '#ffffff',
  sunken: '#f8f9fa',
  line: '#e4e6ea',
  lineStrong: '#d3d7de',
  text: '#1b1e24',
  textSoft: '#5b616e',
  textFaint: '#646a74',
  positive: '#18794e',
  negative: '#c22b2b',
  warning: '#96580a',
  positiveSoft: '#e6f4ec',
  warningSoft: '#fcf1de',
  pending: '#3451b2',
  fresh: '#fff6d6',
};

export const DARK: Palette = {
  accent: '#8da2f0',
  accentSoft: '#232a44',
  solidAccent: '#5069cf',
  ground: '#0f1115',
  surface: '#171a20',
  raised: '#1e2229',
  sunken: '#13161b',
  line: '#2a2f38',
  lineStrong: '#3a414d',
  text: '#e6e8ec',
  textSoft: '#a4abb8',
  textFaint: '#8b93a1',
  positive: '#4cc38a',
  negative: '#ff8a84',
  warning: '#f0b45b',
  positiveSoft: '#14271f',
  warningSoft: '#2e2413',
  pending: '#9db1ff',
  fresh: '#33301c',
};

/** Latin fonts first: Chinese fonts also have Latin letters, but wide apart, and quotation marks as wide as a character. */
export const FONT =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Roboto, 'Liberation Sans', 'PingFang SC', 'PingFang TC', 'Microsoft YaHei', 'Microsoft JhengHei', 'Noto Sans CJK SC', sans-serif";
export const MONO = "ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace";

export type Appearance = 'light' | 'dark';

/** Writes the palette as CSS variables (`--accent`, `--text-soft`), for what antd does not draw. */
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
