import type { ReactNode } from 'react';
import { AppearanceSwitch, LanguageSwitch } from '../shell/header-bar.tsx';
import { Mark } from '../shell/mark.tsx';
import { OfflineBanner } from '../shell/offline-banner.tsx';
import styles from './sign-in.module.css';

interface SignInFrameProps {
  readonly heading: string;
  readonly children: ReactNode;
}

export function SignInFrame({ heading, children }: SignInFrameProps) {
  return (
    <div className={styles['page']}>
      <OfflineBanner />
      <div className={styles['switches']}>
        <LanguageSwitch />
        <AppearanceSwitch />
      </div>
      <main className={styles['panel']}>
        <div className={styles['brand']}>
          <Mark size={32} />
          <span>Sangam</span>
        </div>
        <h1>{heading}</h1>
        {children}
      </main>
    </div>
  );
}
