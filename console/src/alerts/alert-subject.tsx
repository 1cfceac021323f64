import { ALERT_SUBJECTS, ALERTS } from '@sangam/contract/alerts.ts';
import { subjectScreen } from '@sangam/contract/alert-screens.ts';
import type { endpoints } from 'virtual:endpoints';
import { TextButton } from '../figures/text-button.tsx';
import type { RowOf } from '../http/call-types.ts';
import { useTabLocation, withParam } from '../navigation/tab-location.ts';
import { useViewer } from '../session/viewer.ts';

/** A link to the subject of the alert, on the variant of the screen that the viewer has. */
export function AlertSubject({ alert }: { readonly alert: RowOf<typeof endpoints.alert.getAlerts> }) {
  const { openTab } = useTabLocation();
  const { access } = useViewer();
  const { opens } = ALERT_SUBJECTS[ALERTS[alert.kind].subject];
  const screen = subjectScreen(access, alert.kind);
  if (!screen) return <>{alert.subject}</>;
  const change = opens ? withParam('open', alert.subject) : undefined;
  return (
    <TextButton
      text={alert.subject}
      label={`${alert.text} · ${alert.subject}`}
      onClick={() => openTab(screen.path, change)}
    />
  );
}
