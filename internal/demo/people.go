package demo

// Everybody in the demo. example.com belongs to nobody (RFC 2606), so no mail to these addresses reaches anyone.
//
//nolint:gochecknoglobals // Go has no constant structs, and nothing assigns to these
var (
	misaki   = person{1, "高橋 美咲", "misaki.takahashi@example.com", "ja", "Asia/Tokyo"}
	kenichi  = person{2, "佐藤 健一", "kenichi.sato@example.com", "ja", "Asia/Tokyo"}
	aya      = person{3, "中村 彩", "aya.nakamura@example.com", "ja", "Asia/Tokyo"}
	shota    = person{4, "田中 翔太", "shota.tanaka@example.com", "ja", "Asia/Tokyo"}
	lan      = person{5, "Nguyễn Thị Lan", "lan.nguyen@example.com", "ja", "Asia/Ho_Chi_Minh"}
	emily    = person{6, "Emily Carter", "emily.carter@example.com", "en", "Asia/Tokyo"}
	rajesh   = person{7, "Rajesh Iyer", "rajesh.iyer@example.com", "en", "Asia/Kolkata"}
	daisuke  = person{8, "小林 大輔", "daisuke.kobayashi@example.com", "ja", "Asia/Tokyo"}
	makoto   = person{9, "渡辺 誠", "makoto.watanabe@example.com", "ja", "Asia/Tokyo"}
	chinatsu = person{10, "山本 千夏", "chinatsu.yamamoto@example.com", "ja", "Asia/Tokyo"}
	yoko     = person{11, "鈴木 陽子", "yoko.suzuki@example.com", "ja", "Asia/Tokyo"}
	grace    = person{12, "Grace Kim", "grace.kim@example.com", "en", "Asia/Seoul"}
	noah     = person{13, "Noah Bennett", "noah.bennett@example.com", "en", "America/New_York"}
)

func people() []person {
	return []person{misaki, kenichi, aya, shota, lan, emily, rajesh, daisuke, makoto, chinatsu, yoko, grace, noah}
}
