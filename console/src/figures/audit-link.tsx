import { Button } from 'antd';
import { screenFor } from '@sangam/contract/screens.ts';
import { useTranslation } from 'react-i18next';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useViewer } from '../session/viewer.ts';

/**
 * A link to all audit entries of a subject, as the audit names it (`order:12`). Draws nothing for a viewer who may not see the
 * audit.
 */
export function AuditLink({ subject }: { readonly subject: string }) {
  const { t } = useTranslation();
  const { access } = useViewer();
  const { openTab } = useTabLocation();
  const path = screenFor(access, 'systemAudit')?.path;
  if (path === undefined) return null;
  const query = `?${new URLSearchParams({ s: subject })}`;
  return (
    <Button
      type="link"
      href={`${path}${query}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        openTab(path, () => query);
      }}
    >
      {t('audit.everything')}
    </Button>
  );
}
