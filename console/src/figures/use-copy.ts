import { App } from 'antd';
import { useTranslation } from 'react-i18next';

/** Copies a text and shows whether that worked. */
export function useCopy(): (text: string) => Promise<void> {
  const { t } = useTranslation();
  const { message } = App.useApp();
  return async (text) => {
    try {
      // The browser may refuse; on a page without TLS there is no clipboard at all.
      await navigator.clipboard.writeText(text);
      message.success(t('figures.copied'));
    } catch {
      message.error(t('figures.notCopied'));
    }
  };
}
