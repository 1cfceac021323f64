import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useSend } from '../http/use-send.ts';
import type { Script, Version } from './pay-script.ts';

interface ReleaseDialogProps {
  readonly script: Script;
  readonly version: Version;
  readonly onClose: () => void;
}

/** Requests that a version goes live. A second person has to agree. */
export function ReleaseDialog({ script, version, onClose }: ReleaseDialogProps) {
  const { t } = useTranslation();
  const send = useSend(endpoints.payScript.getPayScript);
  return (
    <FormDialog
      title={`${t('payScripts.release')} · ${script.name} v${version.version}`}
      facts={[
        [t('payScripts.live'), script.liveVersion === null ? '–' : `v${script.liveVersion}`],
        [t('payScripts.origins'), version.origins.join(', ') || '–'],
      ]}
      fields={[{ name: 'reason', label: t('fund.reason'), kind: 'lines', maxLength: 256, required: true }]}
      consequence={t('payScripts.releaseConsequence')}
      okText={t('payScripts.release')}
      onSubmit={async ({ reason }) => {
        const input = { id: script.id, version: version.version, reason: String(reason) };
        await send(endpoints.payScript.releasePayScript, input, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}
