/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { companySignIn as company } from 'virtual:endpoints/companySignIn';
import { leaveForCompany } from '../session/company-visit.ts';
import { call } from './call.ts';
import styles from './sign-in.module.css';

interface CompanyButtonProps {
  /** Contains {{name}}. */
  readonly text: string;
  readonly onRefusal: (message: string) => void;
}

/** The button for sign-in by the company's identity service, where the installation has one. */
export function CompanyButton({ text, onRefusal }: CompanyButtonProps) {
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    call(company.getCompanySignIn, {}).then(
      (service) => setName(service.name),
      () => undefined,
    );
  }, []);
  if (name === null) return null;
  const leave = () =>
    call(company.beginCompanySignIn, {}).then(
      (way) => leaveForCompany(way, false),
      (error: unknown) => onRefusal(error instanceof Error ? error.message : String(error)),
    );
  return (
    <button type="button" className={styles['other']} onClick={() => void leave()}>
      {text.replace('{{name}}', name)}
    </button>
  );
}
