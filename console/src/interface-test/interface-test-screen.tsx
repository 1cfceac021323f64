import { Alert, Skeleton, Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { CallbackTester } from './callback-tester.tsx';
import { CreateTester } from './create-tester.tsx';
import { Documentation } from './documentation.tsx';
import { useMayCall } from '../session/may-call.ts';
import { useViewer } from '../session/viewer.ts';
import styles from './interface-test.module.css';
import { Sandbox } from './sandbox.tsx';
import { SignatureChecker } from './signature-checker.tsx';

/** A merchant's integrator tries the merchant API here, with the merchant's own ids. */
export function InterfaceTestScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const { isDemo } = useViewer();
  const maySign = useMayCall()(endpoints.interfaceTest.signFields);
  const own = useCall(endpoints.interfaceTest.getInterface, {});
  return (
    <section className={styles['page']} aria-label={title(screen)}>
      <h1>{title(screen)}</h1>
      {own.data ? (
        <Tabs
          items={[
            ...(isDemo && maySign
              ? [{ key: 'sandbox', label: t('interface.sandboxTitle'), children: <Sandbox own={own.data} /> }]
              : []),
            ...(maySign
              ? [
                  { key: 'create', label: t('interface.create'), children: <CreateTester own={own.data} /> },
                  { key: 'sign', label: t('interface.checker'), children: <SignatureChecker /> },
                  { key: 'callback', label: t('interface.callback'), children: <CallbackTester /> },
                ]
              : []),
            { key: 'docs', label: t('interface.docs'), children: <Documentation own={own.data} /> },
          ]}
        />
      ) : own.isError ? (
        <Alert type="error" showIcon title={own.error.message} />
      ) : (
        <Skeleton active />
      )}
    </section>
  );
}
