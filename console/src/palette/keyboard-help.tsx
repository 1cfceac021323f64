import { Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import styles from './keyboard-help.module.css';

const PALETTE_KEYS = ['Ctrl', 'K'] as const;

/** Every key that the console reacts to, grouped by where it works. */
const KEYS = [
  [
    'everywhere',
    [
      ['palette', PALETTE_KEYS],
      ['help', ['?']],
      ['close', ['Esc']],
    ],
  ],
  [
    'lists',
    [
      ['search', ['/']],
      ['reload', ['r']],
      ['rows', ['j', 'k']],
      ['open', ['Enter']],
      ['pick', ['x']],
    ],
  ],
  [
    'tabs',
    [
      ['move', ['←', '→']],
      ['closeTab', ['Del']],
    ],
  ],
] as const;

export default function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal open title={t('keys.title')} footer={null} width={420} onCancel={onClose}>
      {KEYS.map(([place, keys]) => (
        <section key={place}>
          <h3 className={styles['place']}>{t(`keys.${place}`)}</h3>
          <dl className={styles['keys']}>
            {keys.map(([what, names]) => (
              <div key={what}>
                <dt>{t(`keys.${what}`)}</dt>
                <dd>
                  {names.map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}
