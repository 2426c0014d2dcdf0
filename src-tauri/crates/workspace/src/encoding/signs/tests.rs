use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, ISO_8859_2, KOI8_R, KOI8_U, SHIFT_JIS, WINDOWS_874,
    WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255,
    WINDOWS_1256,
};
use protocol::Limits;

use crate::encoding::{DecodedText, NotEncoded, decode};

/// As short files have it: a line or a few, alone, in settings, in a source.
const CHINESE: [&str; 36] = [
    "你好",
    "中文\n",
    "安装\r\n",
    "目标\r\n",
    "有了\n",
    "这是\r\n",
    "信号",
    "主题 =\r\n",
    "索引 \"%s.%s\"\n",
    "[节]\n",
    "name: 等宽\n",
    "title=能力\r\n",
    "host=这里\r\n",
    "# 始终\n",
    "// 没有\n",
    "/* 位数 */\n",
    "let x = \"全屏\";\n",
    "从 %s 到 %s\n",
    "有时候\n",
    "在上游\n",
    "时间戳：\n",
    "要确定\n",
    "需要注意：\n",
    "已放弃\n允许\n",
    "-- 需要注意的是\n",
    "我们需要考虑以下几点\n",
    "名称=旧的名字\n",
    "另外需要注意的是\r\n",
    "解构失败。评估\n图片透明度\n",
    "%s: 数据库系统初始化失败\n",
    "path=缺少结束标记\ntitle=记录器\n版\n",
    "单位澄清\n说明=替换嵌套层数过深\r\n",
    "# 房间\nname: 房间号码\n析构函数\n",
    "标题=遍历\n作者=张三\n",
    "[界面]\r\n语言=中文\r\n字号=12\r\n主题=深色\r\n",
    "第一行\n第二行\n第三行\n第四行\n第五行\n第六行\n",
];

/// What is as short in other encodings, with all the accents that it has.
const FOREIGN: [(&Encoding, &str); 30] = [
    (EUC_JP, "ファイル\n"),
    (EUC_JP, "こんにちは\n"),
    (EUC_JP, "名前=古い名前\n"),
    (EUC_JP, "東京都千代田区丸内一丁目一番二号 中央棟 総務部\n"),
    (SHIFT_JIS, "日本語\n"),
    (SHIFT_JIS, "名前=ファイル\n"),
    (EUC_KR, "안녕하세요, 반갑습니다\n"),
    (EUC_KR, "이름=오래된 이름\n제목=새 문서\n"),
    (BIG5, "名稱=舊的名稱\n"),
    (BIG5, "新增列\n"),
    (WINDOWS_1252, "Größe der Straße\n"),
    (WINDOWS_1252, "Prüfung abgeschlossen\n"),
    (WINDOWS_1252, "naïve façade, señor\n"),
    (WINDOWS_1252, "déjà vu\nà côté\n"),
    (WINDOWS_1252, "# Übersicht\nname = Jörg\n"),
    (WINDOWS_1250, "błąd\nźródło\n"),
    (WINDOWS_1250, "błąd odczytu\n"),
    (ISO_8859_2, "Błąd składni\n"),
    (WINDOWS_1251, "Привет, мир\n"),
    (WINDOWS_1251, "имя=старое имя\n"),
    (WINDOWS_1251, "ОШИБКА ЧТЕНИЯ\n"),
    (KOI8_R, "новое\n"),
    (KOI8_R, "привет, мир\n"),
    (KOI8_U, "перевірити сервер\nвідкрити файл\nстворено теку\n"),
    (WINDOWS_1253, "Καλημέρα\n"),
    (WINDOWS_1253, "όνομα=παλιό\n"),
    (WINDOWS_1254, "İsim=değiştir\n"),
    (WINDOWS_874, "ชื่อไฟล์\n"),
    (WINDOWS_1255, "שלום עולם\n"),
    (WINDOWS_1256, "مرحبا بالعالم\n"),
];

fn read(bytes: &[u8]) -> DecodedText {
    decode(bytes, &Limits::default()).expect("a text")
}

/// EN-1: however short, Chinese is Chinese, and can be written.
#[test]
fn a_short_chinese_text_is_told_in_gb18030() {
    let mut other = Vec::new();
    for text in CHINESE {
        let bytes = GB18030.encode(text).0;
        let file = read(&bytes);
        if file.text() != text || file.encode(text).as_deref() != Ok(&*bytes) {
            other.push((text, file.encoding()));
        }
    }
    assert_eq!(other, []);
}

/// EN-1: what is as short in another encoding is read and not written.
#[test]
fn a_short_text_of_another_encoding_is_not_taken_for_chinese() {
    let mut other = Vec::new();
    for (encoding, text) in FOREIGN {
        let (bytes, _, is_lossy) = encoding.encode(text);
        assert!(!is_lossy, "{text}");
        let file = read(&bytes);
        if !matches!(file.encode(text), Err(NotEncoded::Foreign { .. })) {
            other.push((text, file.text().to_owned()));
        }
    }
    assert_eq!(other, []);
}
