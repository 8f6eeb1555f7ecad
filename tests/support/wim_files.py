"""A Windows image (WIM), made by wimlib from four files; nothing else free writes them."""

import base64
import zlib

FILES = {"one.txt": b"valve coating\n" * 500, "two/three.txt": b"four million\n", "ä.txt": b"deep"}
PACKED = zlib.decompress(
    base64.b64decode(
        "eNrFU1lMU1kY/lrqvVdiHZ80igvWycQFLKuOsWy2tiAt1YIB3IY4VIOiPSK1uMTUvYaH8cGZ4IM7MSZiwD4IKiaKS2JiDIQY08FAcDKZaBQ1OhlG"
        "q/jfcwuhWkk0Lufec87/f//3nXP+s9jyC3NsAFqpQqvCTqgBL3CsIWhuF9vs22o6JvV2DLOrIH/AK/Ci7opSjJAPSfHVAU2Y/32KJqIZsSRkUoHG"
        "RMyoLzx1pJL5tVOv1pWcaQq8NsLbZ44BVrncFbHrysrLy1zro0udTgaMxCiq8lm6sB5OzEQlqqh+6P8qSpIg+iRJoitB1eeDJP+Ky7wS4yfNfy9v"
        "mXefV6ySBDfzkS/CxxgYZ4nyRwXwMGqZyER4CGaEE8MDDoicz8iUQyJXoqQ/N3Gg98gqcQDgZXWJwBSSqJBKREXKPncvl8d5Cztd9+OF1+6GCbeG"
        "+Q9G+Ru21x2eMLG3dK+wt6cycO5B966oJiGa1Q9vaem5akn//8ahtosjurambj7ntwRv5x1Z8u/R9ElbWLZW5d0hCGbh2ojm34Ws2Jlv7lyPmb6m"
        "+cJaxy+76pobH44+vW2ne8fkE0nDLbMLtNZFAc2e89Naq6c8Mx1PzO3LWLMxPlDxuLv4x616t3Ou+UZZcbw+RefLVeuq/zt5+XnLow13S59OVgdX"
        "Lujd1D0qucix1FSLZbQP11Q8E2G8WklpauiSK4/5D8+BZRljHgV7ajUrZlQfif/7eqfjB0WhaQ1tQlHMYMVvTzMam7ZLL+6Ne6CNNT6v9Tx8clsb"
        "YnYpSvT7iqLNf9a9+talzBMrKv40on5PY2X7vv5H8lgV/mgURVpncV/a5uAU3cux+sqrbfUJ7XE340KMZyFFXJhi/7SfG6w1L8v9V07VVbii/9n9"
        "l+OnvrcGFCIHNqTDwPssWDAfsWTnwURWEdKgQyJVmZFHcRuh6ViHMnoIbnoCTmykiH5QzEDKHDhghB2LCS8gLIlzPsQNMBNmJd1gNIWzI0UM1Nqp"
        "ZlFkHorJmo98wmcjAbNonbIuMsOAbMIctAYrzy43LJrAlUMxDLQOB9lZhOTQDHm87884m2wLtQv5CAV8xCqqiTSaiVaXijmkV+Z4n2mg+ex0DuHa"
        "ecRPQTIfwUy5ydr3eTI21KqshOcTYqOIvPfyjhq/eQZJ1KaGzjRSBp+ySv2gW/rx25DI5xz6NugHbn403gG0rj+M"
    )
)
