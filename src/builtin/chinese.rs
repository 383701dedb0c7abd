//! The Chinese function words of questions, with the same roles as the English ones.
//! Knows no schema.

use super::lexicon::{Extreme, Hint, Role};
use super::plan::{Aggregate, Comparison, Pattern};

const fn up(hint: Hint) -> Role {
    Role::Extreme(Extreme {
        descending: true,
        hint,
    })
}

const fn down(hint: Hint) -> Role {
    Role::Extreme(Extreme {
        descending: false,
        hint,
    })
}

const fn compare(op: Comparison, hint: Hint) -> Role {
    Role::Compare(op, hint)
}

/// Phrases by role; each text holds alternatives between bars.
pub const CHINESE: &[(&str, Role)] = &[
    (
        "的|了|吗|呢|请|请问|一下|我|想|要|知道|一共|总共|共|所有|全部|个|位|名|家|条|件|些|都|这|那|其中|给出|里|中|当中|里面|上|们|次|辆|本|部|首|岁|元|年",
        Role::Filler,
    ),
    ("，|。|？|；|：|,", Role::Comma),
    (
        "列出|显示|查询|查找|找出|返回|告诉我|给我|看看|展示|查|是什么|是多少|是谁|有哪些|哪些|哪个|哪位|哪家|什么",
        Role::Lead,
    ),
    (
        "多少|有多少|多少个|有多少个|几个|有几个|多少位|有多少位|多少名|数一数|多少种|多少条|有多少条|多少家|多少次",
        Role::HowMany,
    ),
    (
        "数量|个数|人数|的数量|的个数|次数|总数|数目",
        Role::NumberOf,
    ),
    ("平均|平均值|均值", Role::Aggregate(Aggregate::Average)),
    ("总和|合计|总计|之和|总", Role::Aggregate(Aggregate::Sum)),
    ("最小值|最低值", Role::Aggregate(Aggregate::Minimum)),
    ("最大值|最高值", Role::Aggregate(Aggregate::Maximum)),
    ("最多|最高|最大|最好|数量最多|最多的", up(Hint::None)),
    ("最少|最低|最小|最差|数量最少", down(Hint::None)),
    ("最年长|年龄最大|最老", up(Hint::Age)),
    ("最年轻|年龄最小", down(Hint::Age)),
    ("最新|最近|最晚|最后", up(Hint::Time)),
    ("最早|最先", down(Hint::Time)),
    ("最贵", up(Hint::Price)),
    ("最便宜", down(Hint::Price)),
    ("最重", up(Hint::Weight)),
    ("最轻", down(Hint::Weight)),
    ("最长", up(Hint::Length)),
    ("最短", down(Hint::Length)),
    ("最常见|最受欢迎", Role::Frequency { descending: true }),
    (
        "大于|高于|超过|多于|以上|不止|大过",
        compare(Comparison::Greater, Hint::None),
    ),
    (
        "小于|低于|少于|以下|不足|不到",
        compare(Comparison::Less, Hint::None),
    ),
    (
        "至少|不少于|不低于|不小于|大于等于",
        compare(Comparison::GreaterOrEqual, Hint::None),
    ),
    (
        "至多|最多有|不超过|不多于|不高于|不大于|小于等于",
        compare(Comparison::LessOrEqual, Hint::None),
    ),
    ("等于|为", compare(Comparison::Equal, Hint::None)),
    (
        "不等于|不是|不为",
        compare(Comparison::NotEqual, Hint::None),
    ),
    ("晚于|之后|以后", compare(Comparison::Greater, Hint::Time)),
    ("早于|之前|以前", compare(Comparison::Less, Hint::Time)),
    ("介于|在", Role::Between),
    ("从未|没有|从来没有|未|不|没|从没", Role::Not),
    (
        "每个|每位|每家|每种|每|各个|各|每一个|按|每名|每年",
        Role::Each,
    ),
    ("排序|排列|排", Role::OrderBy),
    (
        "升序|从低到高|从小到大|由低到高",
        Role::Direction { descending: false },
    ),
    (
        "降序|从高到低|从大到小|由高到低|倒序",
        Role::Direction { descending: true },
    ),
    ("不同|不重复", Role::Distinct),
    ("包含|含有|包括", Role::Like(Pattern::Contains)),
    ("以开头|开头|开头是", Role::Like(Pattern::StartsWith)),
    ("结尾|结尾是", Role::Like(Pattern::EndsWith)),
    ("既|同时", Role::Both),
    ("和|及|以及|与|并且|且|又|、|跟|还有", Role::And),
    ("或|或者|或是", Role::Or),
    ("来自|在于|属于|位于|由|从|到", Role::Prep),
    ("有|拥有", Role::Have),
    ("是", Role::Be),
    ("任何", Role::Any),
    ("前", Role::Top),
    ("全部信息|所有信息|详细信息", Role::Everything),
    ("叫|名叫|叫做|名为", Role::Named),
    ("为空", Role::Null { negated: false }),
    ("不为空", Role::Null { negated: true }),
];

/// General nouns with the English words that databases use for them.
pub const NOUNS: &[(&str, &[&str])] = &[
    ("姓名", &["name"]),
    ("名称", &["name"]),
    ("名字", &["name"]),
    ("标题", &["title"]),
    ("年龄", &["age"]),
    ("国家", &["country"]),
    ("国籍", &["nationality"]),
    ("城市", &["city"]),
    ("地址", &["address"]),
    ("价格", &["price"]),
    ("单价", &["price"]),
    ("金额", &["amount"]),
    ("总额", &["total"]),
    ("工资", &["salary"]),
    ("薪水", &["salary"]),
    ("日期", &["date"]),
    ("年份", &["year"]),
    ("时间", &["time"]),
    ("电话", &["phone"]),
    ("邮箱", &["email"]),
    ("性别", &["gender"]),
    ("类型", &["type"]),
    ("类别", &["category"]),
    ("状态", &["status"]),
    ("描述", &["description"]),
    ("编号", &["id"]),
    ("代码", &["code"]),
    ("容量", &["capacity"]),
    ("重量", &["weight"]),
    ("高度", &["height"]),
    ("长度", &["length"]),
    ("面积", &["area"]),
    ("人口", &["population"]),
    ("学生", &["student"]),
    ("老师", &["teacher"]),
    ("教师", &["teacher"]),
    ("课程", &["course"]),
    ("部门", &["department"]),
    ("员工", &["employee"]),
    ("客户", &["customer"]),
    ("顾客", &["customer"]),
    ("订单", &["order"]),
    ("产品", &["product"]),
    ("商品", &["product"]),
    ("商店", &["shop"]),
    ("公司", &["company"]),
    ("地区", &["region"]),
    ("歌手", &["singer"]),
    ("歌曲", &["song"]),
    ("专辑", &["album"]),
    ("艺术家", &["artist"]),
    ("电影", &["movie"]),
    ("书", &["book"]),
    ("图书", &["book"]),
    ("作者", &["author"]),
    ("汽车", &["car"]),
    ("航班", &["flight"]),
    ("机场", &["airport"]),
    ("航空公司", &["airline"]),
    ("博物馆", &["museum"]),
    ("音乐会", &["concert"]),
    ("城镇", &["town"]),
    ("学校", &["school"]),
    ("球队", &["team"]),
    ("球员", &["player"]),
    ("比赛", &["match"]),
    ("数量", &["quantity"]),
    ("评分", &["rating"]),
    ("发票", &["invoice"]),
    ("供应商", &["supplier"]),
    ("仓库", &["warehouse"]),
    ("医生", &["doctor"]),
    ("病人", &["patient"]),
];
