import { describe, expect, it } from 'vitest';
import { standingSentences } from '../ledger/standing-sentences.js';

describe('sentences that tell how to work', () => {
  it.each([
    'Never push to main.',
    'Please always run the tests.',
    'Bitte keine neuen Abhängigkeiten.',
    'N’utilise jamais cette table.',
    'Siempre ejecuta las pruebas.',
    'Vanaf nu eerst de tests.',
    'Никогда не меняй этот файл.',
    '必ずテストを実行してください。',
    'ファイルを消さないでください。',
    '不要修改这个文件，请先运行测试。',
    '항상 테스트를 먼저 실행하세요.',
  ])('are found: %s', (sentence) => {
    expect(standingSentences(sentence)).toEqual([sentence]);
  });

  it.each(['Rename the table — it is the old one.', 'Tables ↔ views: “rename” both ✓.', 'Переименуй таблицу.'])(
    'are not those that say what to do next: %s',
    (sentence) => {
      expect(standingSentences(sentence)).toEqual([]);
    },
  );
});
