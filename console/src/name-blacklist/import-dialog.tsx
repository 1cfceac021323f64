import { Alert } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { LIST_FORMATS } from '@sangam/contract/name-lists.ts';
import { FileButton } from '../dialogs/file-button.tsx';
import { sentFile } from '../dialogs/files.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import type { InputOf, OutputOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';

type ImportCall = typeof endpoints.nameList.importNameList;

/** Compresses the file: lists are large. */
async function packed(file: File): Promise<{ fileName: string; content: string }> {
  const bytes = await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
  return sentFile(new File([bytes], file.name));
}

/** Imports a list: our own CSV, the UN's or OFAC's. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const send = useSend(endpoints.nameList.getListedNames, endpoints.nameList.getNameLists);
  const [file, setFile] = useState<File>();
  const [missing, setMissing] = useState(false);
  const [done, setDone] = useState<OutputOf<ImportCall>>();
  return (
    <FormDialog
      title={t('nameBlacklist.import.button')}
      fields={[
        {
          name: 'format',
          label: t('nameBlacklist.import.format'),
          hint: t('nameBlacklist.import.formatHint'),
          kind: 'choice',
          options: LIST_FORMATS.map((value) => ({
            value,
            label: t(`nameBlacklist.import.formats.${value}`),
          })),
          initial: 'csv',
          required: true,
        },
        {
          name: 'source',
          label: t('nameBlacklist.import.source'),
          hint: t('nameBlacklist.import.sourceHint'),
          kind: 'text',
          maxLength: 64,
          required: true,
        },
        { name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true },
      ]}
      consequence={t('nameBlacklist.consequence.import')}
      okText={t('nameBlacklist.import.button')}
      onSubmit={async (values) => {
        setMissing(!file);
        if (!file) return 'stay';
        const input = { ...values, ...(await packed(file)) } as InputOf<ImportCall>;
        setDone(await send(endpoints.nameList.importNameList, input, t('people.saved')));
        return 'stay';
      }}
      onClose={onClose}
    >
      <FileButton label={file?.name ?? t('nameBlacklist.import.file')} onFile={setFile} />
      {missing && <Alert type="error" showIcon title={t('nameBlacklist.import.noFile')} />}
      {done && (
        <Alert
          type={done.dropped > 0 ? 'warning' : 'success'}
          showIcon
          title={t('nameBlacklist.import.done', { entries: done.entries, changed: done.changed })}
          {...(done.dropped > 0 && {
            description: t('nameBlacklist.import.dropped', { dropped: done.dropped }),
          })}
        />
      )}
    </FormDialog>
  );
}
