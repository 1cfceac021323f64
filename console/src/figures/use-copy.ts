import { App } from 'antd';
import { useTranslation } from 'react-i18next';

/** Copies a text and says whether it could. */
export function useCopy(): (text: string) => Promise<void> {
  const { t } = useTranslation();
  const { message } = App.useApp();
  return async (text) => {
    try {
      // Refused where the browser does not allow it; not there at all on a page without TLS.
      await navigator.clipboard.writeText(text);
      message.success(t('figures.copied'));
    } catch {
      message.error(t('figures.notCopied'));
    }
  };
}
