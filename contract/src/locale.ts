export const LOCALES = ['zh-CN', 'zh-TW', 'en-US'] as const;

export type Locale = (typeof LOCALES)[number];

export const DEFAULT_LOCALE: Locale = 'zh-CN';

/** The best of our locales for an Accept-Language header or a list of browser languages. */
export function pickLocale(languages: string | readonly string[] | undefined): Locale {
  const wanted =
    typeof languages === 'string'
      ? languages.split(',').map((part) => part.split(';')[0]!.trim())
      : (languages ?? []);
  for (const language of wanted) {
    const tag = language.toLowerCase();
    if (/^zh-(tw|hk|mo|hant)/.test(tag)) return 'zh-TW';
    if (tag.startsWith('zh')) return 'zh-CN';
    if (tag.startsWith('en')) return 'en-US';
  }
  return DEFAULT_LOCALE;
}
