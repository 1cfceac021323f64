import { theme as antdTheme, type ThemeConfig } from 'antd';
import { DARK, FONT, LIGHT, MONO, type Appearance } from './theme.ts';

/**
 * antd's theme in the colours of theme.ts. With `still`, antd does not animate and does not wait for the end of an animation
 * (app.css switches off all others).
 */
export function antdThemeOf(appearance: Appearance, still: boolean): ThemeConfig {
  const dark = appearance === 'dark';
  const palette = dark ? DARK : LIGHT;
  return {
    algorithm: dark ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm,
    hashed: false,
    token: {
      colorPrimary: palette.solidAccent,
      colorLink: palette.accent,
      colorLinkHover: palette.accent,
      colorSuccess: palette.positive,
      colorError: palette.negative,
      colorWarning: palette.warning,
      colorSuccessBg: palette.positiveSoft,
      colorWarningBg: palette.warningSoft,
      colorInfo: palette.solidAccent,
      colorBgLayout: palette.ground,
      colorBgContainer: palette.surface,
      colorBgElevated: palette.raised,
      colorBorder: palette.lineStrong,
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
      motion: !still,
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
        subMenuItemSelectedColor: palette.accent,
        itemBorderRadius: 5,
        activeBarBorderWidth: 0,
      },
      Tabs: { itemSelectedColor: palette.accent, inkBarColor: palette.accent },
      Layout: { headerBg: palette.surface, siderBg: palette.surface, bodyBg: palette.ground },
      Form: { verticalLabelPadding: '0 0 4px', itemMarginBottom: 16 },
      Tooltip: { fontSize: 12 },
    },
  };
}
