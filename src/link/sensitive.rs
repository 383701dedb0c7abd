//! Columns whose names say that they hold secrets or personal data, for a hint on the card. Knows names only: what is
//! in a column is not looked at, so this proves nothing and refuses nothing.

use super::words::split_name;

/// A word of a name that is enough by itself.
const WORDS: &[&str] = &[
    "birth",
    "birthdate",
    "birthday",
    "credential",
    "credentials",
    "cvc",
    "cvv",
    "dob",
    "email",
    "emails",
    "fax",
    "iban",
    "mail",
    "mima",
    "mobile",
    "otp",
    "passcode",
    "passport",
    "passwd",
    "password",
    "payroll",
    "phone",
    "phones",
    "pwd",
    "salaries",
    "salary",
    "secret",
    "shenfenzheng",
    "shouji",
    "ssn",
    "tel",
    "telephone",
    "token",
    "wage",
    "wages",
    "youxiang",
];

/// Two words beside each other.
const PAIRS: &[(&str, &str)] = &[
    ("account", "no"),
    ("account", "number"),
    ("api", "key"),
    ("bank", "account"),
    ("bank", "card"),
    ("card", "no"),
    ("card", "num"),
    ("card", "number"),
    ("cell", "number"),
    ("credit", "card"),
    ("debit", "card"),
    ("e", "mail"),
    ("id", "card"),
    ("national", "id"),
    ("private", "key"),
    ("social", "security"),
    ("tax", "id"),
];

/// Parts of names that are written in one piece.
const PARTS: &[&str] = &[
    "accesstoken",
    "apikey",
    "birthda",
    "cardno",
    "cardnumber",
    "creditcard",
    "dateofbirth",
    "emailaddr",
    "passport",
    "passwd",
    "password",
    "phoneno",
    "phonenumber",
    "privatekey",
    "refreshtoken",
    "salary",
    "secretkey",
    "socialsecurity",
    "telephone",
    "useremail",
];

/// Parts of Chinese names.
const CHINESE: &[&str] = &[
    "令牌",
    "信用卡",
    "出生",
    "卡号",
    "口令",
    "密码",
    "密钥",
    "工资",
    "微信号",
    "手机",
    "护照",
    "收入",
    "电子邮件",
    "电话",
    "生日",
    "社保",
    "薪",
    "身份证",
    "邮箱",
    "银行卡",
    "银行账",
    "银行帐",
];

/// Words that make of a name something about the thing, not the thing.
const ABOUT: &[&str] = &[
    "count", "counts", "enabled", "has", "is", "num", "sent", "total", "verified",
];

/// Whether a column of this name is likely to hold a secret or personal data.
#[must_use]
pub fn is_sensitive(column: &str) -> bool {
    if CHINESE.iter().any(|part| column.contains(part)) {
        return true;
    }
    let words = split_name(column);
    let is = |word: &String, list: &[&str]| list.contains(&word.as_str());
    let pair = words.windows(2).any(|pair| match pair {
        [a, b] => PAIRS.contains(&(a.as_str(), b.as_str())),
        _ => false,
    });
    if pair {
        return true;
    }
    let ends = [words.first(), words.last()];
    if ends.iter().flatten().any(|word| is(word, ABOUT)) {
        return false;
    }
    let squashed = words.concat();
    words.iter().any(|word| is(word, WORDS)) || PARTS.iter().any(|part| squashed.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_and_personal_data_are_known_however_they_are_written() {
        for name in [
            "password",
            "Password_Hash",
            "userPassword",
            "PWD",
            "api_key",
            "apiKey",
            "AccessToken",
            "refresh_token",
            "E-Mail",
            "email",
            "customer_email",
            "EmailAddress",
            "emailaddress",
            "phone",
            "PhoneNumber",
            "phonenumber",
            "mobile_no",
            "Birth Date",
            "birthday",
            "DateOfBirth",
            "dob",
            "salary",
            "base_salary_usd",
            "card_number",
            "CreditCardNumber",
            "IBAN",
            "ssn",
            "Social_Security_No",
            "passport_no",
            "tax_id",
            "密码",
            "用户密码",
            "联系电话",
            "手机号",
            "电子邮件",
            "邮箱地址",
            "出生日期",
            "生日",
            "工资",
            "基本薪资",
            "身份证号",
            "银行卡号",
            "shouji_hao",
        ] {
            assert!(is_sensitive(name), "{name}");
        }
    }

    #[test]
    fn names_that_only_sound_like_them_are_left_alone() {
        for name in [
            "id",
            "name",
            "city",
            "card",
            "card_type",
            "discard",
            "classname",
            "session",
            "tokens_used",
            "token_count",
            "is_email",
            "email_verified",
            "emails_sent",
            "headphones",
            "passenger",
            "bypass",
            "urban",
            "cell",
            "hash",
            "tell",
            "hotel",
            "account_id",
            "key",
            "secretary",
            "薄",
            "新闻",
            "卡车",
            "价格",
        ] {
            assert!(!is_sensitive(name), "{name}");
        }
    }
}
